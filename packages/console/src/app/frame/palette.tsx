/** The command palette: every page and every thing to do, by typing a part of its name. */
import { Dialog } from '@base-ui/react/dialog'
import { type KeyboardEvent, use, useId, useMemo, useState } from 'react'
import { frame } from '../../messages/frame.ts'
import { Icon } from '../../ui/icon.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useConsole } from '../console-context.ts'
import { useGo } from '../link.tsx'
import { isReachable } from './is-reachable.ts'
import { matching } from './matching.ts'
import { NavigationPages } from './navigation-pages.ts'

export function Palette({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const say = useSay()
  // Opened again while it still fades out, it begins anew.
  const [openings, setOpenings] = useState({ open, count: 0 })
  if (openings.open !== open) setOpenings({ open, count: openings.count + (open ? 1 : 0) })
  return (
    <Dialog.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog palette" aria-label={say(frame.goTo)}>
          <PaletteSearch key={openings.count} onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function PaletteSearch({ onClose }: { readonly onClose: () => void }) {
  const say = useSay()
  const go = useGo()
  const id = useId()
  const entries = useEntries()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = matching(entries, text)
  const choose = (index: number): void => {
    const entry = found[index]
    if (entry === undefined) return
    onClose()
    go({ to: entry.path })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((index) => (index + step + found.length) % Math.max(found.length, 1))
    } else if (event.key === 'Enter') choose(at)
  }
  return (
    <>
      <input
        className="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found[at] === undefined ? undefined : `${id}-${at}`}
        aria-label={say(frame.goTo)}
        placeholder={say(frame.paletteHint)}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
      />
      {found.length === 0 ? <p className="empty muted">{say(frame.paletteNothing)}</p> : null}
      <div className="palette-list" role="listbox" id={`${id}-list`} aria-label={say(frame.paletteResults)}>
        {found.map(({ name, path, icon }, index) => (
          <div
            key={path + name}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className="palette-item"
            onMouseMove={() => setAt(index)}
            onClick={() => choose(index)}
            onKeyDown={onKeyDown}
          >
            <Icon name={icon} size={18} />
            {name}
          </div>
        ))}
      </div>
    </>
  )
}

function useEntries() {
  const say = useSay()
  const console = useConsole()
  const pages = use(NavigationPages)
  return useMemo(() => {
    const reachable = pages.filter((page) => isReachable(page, console))
    const listed = reachable.filter(({ group }) => group !== null)
    const actions = reachable.flatMap((page) => page.actions ?? []).filter(({ right }) => console.session.may(right))
    return [...listed, ...actions].map(({ title, path, icon }) => ({ name: say(title), path, icon }))
  }, [pages, say, console])
}
