/** What the server finds when it looks at itself; asked for by the start page and by that of the settings. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'

export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly says: string
  readonly fix: string | null
}

export interface Health {
  readonly ok: boolean
  readonly findings: readonly Finding[]
  readonly node: { readonly started_at: string; readonly token_p95_seconds: number | null }
}

const every = 60_000

/** The deployment's alone: administrators of another tenant are told nothing of it. */
export function useHealth(): UseQueryResult<Health> & { readonly isAsked: boolean } {
  const { api, place, session } = useConsole()
  const isAsked = place.tenant === null && session.may('admin:settings:read')
  const result = useQuery({
    queryKey: ['/v1/settings', 'check'],
    queryFn: async () => (await answered(api.POST('/v1/settings/check', { body: {} }))) as Health,
    refetchInterval: every,
    enabled: isAsked,
  })
  return { ...result, isAsked }
}
