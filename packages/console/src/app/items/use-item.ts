/** One thing of the admin API with the version it has, as long as a page shows it. */
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { type AdminApi, type Versioned, versioned } from '../../api/client.ts'
import { useConsole } from '../console-context.ts'

type Read<T> = (api: AdminApi) => Promise<{ data?: T; error?: unknown; response: Response }>

/** `key` names it: the path of its list first, so that a change of one refreshes the other. */
export function useItem<T>(key: readonly string[], read: Read<T>, enabled = true): UseQueryResult<Versioned<T>> {
  const { api } = useConsole()
  return useQuery({ queryKey: key, queryFn: () => versioned(read(api)), enabled })
}

/** Forgets what is shown of a list and of the things in it. */
export function useRefresh(): (...paths: readonly string[]) => Promise<void> {
  const queries = useQueryClient()
  return async (...paths) => {
    await Promise.all(paths.map((path) => queries.invalidateQueries({ queryKey: [path] })))
  }
}
