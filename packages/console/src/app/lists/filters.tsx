/** The filters above a list: a text that is searched for as it is typed, and choices. */
import { useEffect, useId, useState } from 'react'
import type { Option } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'

interface FilterProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Long enough that a word is typed, short enough that nobody waits for it. */
const pause = 250

export function SearchFilter({ label, value, onChange }: FilterProps) {
  const id = useId()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => onChange(text.trim()), pause)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <search className="search">
      <label className="hidden-label" htmlFor={id}>
        {label}
      </label>
      <Icon name="search" size={16} />
      <input
        id={id}
        className="input"
        type="search"
        placeholder={label}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
    </search>
  )
}

export function ChoiceFilter({
  label,
  value,
  onChange,
  options,
}: FilterProps & { readonly options: readonly Option[] }) {
  return (
    <select className="input" aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{label}</option>
      {options.map((it) => (
        <option key={it.value} value={it.value}>
          {it.label}
        </option>
      ))}
    </select>
  )
}
