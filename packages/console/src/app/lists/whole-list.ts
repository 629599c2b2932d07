/** A list that comes whole, without pages and filters, for the table of lists. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ListPage } from '../../api/lists.ts'
import type { ListView } from './use-list.ts'

export const wholeList = <T>(result: UseQueryResult<ListPage<T>>): ListView<T> => ({
  result,
  filtered: false,
  filters: {},
  setFilter: () => undefined,
  clear: () => undefined,
  page: 1,
  next: null,
  previous: null,
})
