/** The filters of a list by a person, typed as their username and asked for by their id, and by a client. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { readPage } from '../../api/lists.ts'
import { useConsole } from '../../app/console-context.ts'
import { SearchFilter } from '../../app/lists/filters.tsx'
import type { ListView } from '../../app/lists/use-list.ts'
import { access } from '../../messages/people.ts'
import { useSay } from '../../ui/preferences.tsx'
import { nameKey, usePersonName } from './person-link.tsx'

type Filtered = Pick<ListView<unknown>, 'filters' | 'setFilter'>

export function PersonFilter({ list }: { readonly list: Filtered }) {
  const say = useSay()
  const { api, session } = useConsole()
  const queries = useQueryClient()
  const subject = list.filters['subject'] ?? ''
  const name = usePersonName(subject)
  const wanted = useRef<string | null>(null)
  // Somebody who has gone on is not called back by an answer that comes late.
  useEffect(() => () => void (wanted.current = null), [])
  const choose = async (typed: string): Promise<void> => {
    wanted.current = typed
    const known = typed !== '' && session.may('admin:users:read')
    const found = known ? await readPage(api, '/v1/users', { username: typed, limit: 1 }).catch(() => null) : null
    // Something else is wanted by now: which of two answers comes first is chance.
    if (wanted.current !== typed) return
    const [person] = found?.items ?? []
    // Known at once, so that the field goes on showing what was typed.
    if (person !== undefined) queries.setQueryData(nameKey(person.id), person)
    list.setFilter('subject', person?.id ?? typed)
  }
  return <SearchFilter label={say(access.byPerson)} value={name ?? subject} onChange={(typed) => void choose(typed)} />
}

interface AccessFiltersProps {
  readonly list: Filtered
  /** What the page knows already is not asked for. */
  readonly fixed?: { readonly subject?: string; readonly client_id?: string }
}

export function AccessFilters({ list, fixed }: AccessFiltersProps) {
  const say = useSay()
  return (
    <>
      {fixed?.subject === undefined ? <PersonFilter list={list} /> : null}
      {fixed?.client_id === undefined ? (
        <SearchFilter
          label={say(access.byClient)}
          value={list.filters['client_id'] ?? ''}
          onChange={(value) => list.setFilter('client_id', value)}
        />
      ) : null}
    </>
  )
}
