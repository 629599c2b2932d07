/** A list as its page sees it: filters and place in the address, one page of rows from the server. */
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { type ItemOf, type ListPage, type ListPath, type ListQuery, readPage } from '../../api/lists.ts'
import { useConsole } from '../console-context.ts'
import { useGo, useSearchParams } from '../link.tsx'

export interface ListView<T> {
  readonly result: UseQueryResult<ListPage<T>>
  /** Whether anything narrows the list. */
  readonly filtered: boolean
  readonly filters: Readonly<Record<string, string>>
  /** An empty text takes a filter away. Always begins at the first page. */
  setFilter(name: string, value: string): void
  clear(): void
  /** From one, as far as it is known. */
  readonly page: number
  readonly next: (() => void) | null
  readonly previous: (() => void) | null
}

interface ListOptions {
  /** The filters of the address; everything else in it is no question to the list. */
  readonly filters: readonly string[]
  /** What the filters are to the list, where they are not sent as they stand in the address; null where nothing can match. */
  readonly asked?: (filters: Readonly<Record<string, string>>) => ListQuery | null
  /** Sent always. */
  readonly fixed?: ListQuery
  /** Rows are read again every so many milliseconds. */
  readonly refetchInterval?: number | false
}

/** The cursors of the pages before, kept with the entry of the browser's history. */
interface PagerState {
  readonly cursors?: readonly string[]
}

export function useList<P extends ListPath>(path: P, options: ListOptions): ListView<ItemOf<P>> {
  const { api } = useConsole()
  const go = useGo()
  const search = useSearchParams()
  const to = useRouterState({ select: (state) => state.location.pathname })
  const state = useRouterState({ select: (it) => it.location.state as PagerState })
  const filters = Object.fromEntries(
    options.filters.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  )
  const { cursor } = search
  const asked = options.asked === undefined ? filters : options.asked(filters)
  const query = { ...options.fixed, ...asked, cursor }
  const result = useQuery({
    queryKey: [path, query, asked === null],
    queryFn: ({ signal }) => (asked === null ? { items: [], next: null } : readPage(api, path, query, signal)),
    placeholderData: keepPreviousData,
    refetchInterval: options.refetchInterval ?? false,
  })
  const other = Object.fromEntries(
    Object.entries(search).filter(([name]) => name !== 'cursor' && !options.filters.includes(name)),
  )
  const cursors = state.cursors ?? []
  const nextCursor = result.data?.next ?? null
  const show = (at: string | undefined, before: readonly string[]): void =>
    go({ to, search: { ...search, cursor: at }, state: { cursors: before } })
  return {
    result,
    filters,
    filtered: Object.keys(filters).length > 0,
    setFilter: (name, value) =>
      go({ to, search: { ...other, ...filters, [name]: value === '' ? undefined : value }, replace: true }),
    clear: () => go({ to, search: other, replace: true }),
    page: cursors.length + 1,
    next: nextCursor === null ? null : () => show(nextCursor, [...cursors, cursor ?? '']),
    previous:
      cursor === undefined
        ? null
        : () => show(cursors.at(-1) === '' ? undefined : cursors.at(-1), cursors.slice(0, -1)),
  }
}
