/** Where a list cannot be searched: the id is typed, and its page opens. */
import { useState } from 'react'
import { sending } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'

export function OpenById({ label, onOpen }: { readonly label: string; readonly onOpen: (id: string) => void }) {
  const [id, setId] = useState('')
  return (
    <search className="search">
      <form onSubmit={sending(() => (id.trim() === '' ? undefined : onOpen(id.trim())))}>
        <Icon name="search" size={16} />
        <input
          className="input"
          type="search"
          aria-label={label}
          placeholder={label}
          value={id}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setId(event.target.value)}
        />
      </form>
    </search>
  )
}
