/** How answers are kept: read again when a page is opened, tried again while the server is away, never guessed. */
import { QueryClient } from '@tanstack/react-query'
import { isTemporary } from '../api/problem.ts'

/** A restart of the server takes seconds; a page that is open meanwhile waits for it. */
const mostRetries = 5

export const openQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        retry: (failures, error) => isTemporary(error) && failures < mostRetries,
        retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 5000),
        // Refused calls are shown where the content would be, and not thrown through the frame.
        throwOnError: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
