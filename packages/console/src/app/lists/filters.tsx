/** The filters above a list: a text that is searched for as it is typed, and choices. */
import { useId } from 'react'
import type { Option } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useTyped } from '../use-typed.ts'

interface FilterProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A blank at an end is the beginning of a next word, and no other search. */
const isSameSearch = (one: string, other: string): boolean => one.trim() === other.trim()

export function SearchFilter({ label, value, onChange }: FilterProps) {
  const id = useId()
  const [text, setText] = useTyped(value, (typed) => onChange(typed.trim()), isSameSearch)
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
