/** A choice of some of a list of the server: roles, groups or people, found by the beginning of their names. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { readPage } from '../../api/lists.ts'
import { type FieldProps, given, type Option } from '../../ui/field.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import { useConsole } from '../console-context.ts'

/** Long enough that a word is typed, short enough that nobody waits for it. */
const pause = 200
const shown = 20

const lists = {
  roles: { path: '/v1/roles', filter: 'name[prefix]', right: 'admin:roles:read' },
  groups: { path: '/v1/groups', filter: 'name[prefix]', right: 'admin:groups:read' },
  people: { path: '/v1/users', filter: 'username[prefix]', right: 'admin:users:read' },
} as const

interface PickOfListProps extends FieldProps {
  readonly of: keyof typeof lists
  readonly value: readonly Option[]
  readonly onChange: (value: readonly Option[]) => void
  readonly placeholder?: string
}

interface Named {
  readonly id: string
  readonly name?: unknown
  readonly username?: string
}

/** People by the name they sign in with: their other name may be anybody's. */
const optionOf = ({ id, name, username }: Named): Option => ({
  value: id,
  label: username ?? (typeof name === 'string' ? name : id),
})

export function PickOfList({ of, label, hint, fault, optional, value, onChange, placeholder }: PickOfListProps) {
  const { path, filter, right } = lists[of]
  const { api, session } = useConsole()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), pause)
    return () => clearTimeout(timer)
  }, [typed])
  const { data } = useQuery({
    queryKey: [path, 'options', asked],
    queryFn: ({ signal }) => readPage(api, path, { [filter]: asked, limit: shown }, signal),
    placeholderData: keepPreviousData,
    enabled: session.may(right),
  })
  // What was found for less is no answer to more: who types on and presses Enter takes nobody else.
  const begun = typed.trim().toLowerCase()
  const options = (data?.items ?? [])
    .map((it) => optionOf(it as Named))
    .filter((it) => it.label.toLowerCase().startsWith(begun))
  return (
    <PickField
      label={label}
      value={value}
      onChange={onChange}
      options={options}
      typed={typed}
      onType={setTyped}
      {...given({ hint, fault, optional, placeholder })}
    />
  )
}

/** Of what is known by its name alone. */
export const namesAsOptions = (names: readonly string[]): readonly Option[] =>
  names.map((name) => ({ value: name, label: name }))
export const valuesOf = (options: readonly Option[]): readonly string[] => options.map(({ value }) => value)
