/** What the schemas of the admin API have in common. */
import type { PageQuery, RequestContext } from '@grantor/api'
import { type FilterTerm, problem, type Problem } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { AccessSearch } from '@grantor/store'
import { Type } from 'typebox'

/** Set by the server. */
export const time = (description: string) => Type.String({ readOnly: true, format: 'date-time', description })

export const iso = (at: number): string => new Date(at).toISOString()

/** As a member that is absent where there is no time. */
export const isoIf = <N extends string>(name: N, at: number | null): { readonly [K in N]?: string } =>
  (at === null ? {} : { [name]: iso(at) }) as { readonly [K in N]?: string }

export const tenantOf = ({ tenant }: RequestContext): TenantId => tenant as TenantId

/** The value that a list is filtered by; null where it is not. */
export function filterValue(filter: readonly FilterTerm[], field: string, op: FilterTerm['op'] = 'eq'): string | null {
  const term = filter.find((it) => it.field === field && it.op === op)
  return term === undefined ? null : String(term.values[0])
}

/** For lists that have one order: by ids that are made in the order of time, backwards. */
export function newestFirst({ sort, after, take }: PageQuery): Result<NewestFirst, Problem> {
  const [order] = sort
  if (order?.field === 'id' && order.descending)
    return ok({ before: after === null ? null : String(after[0]), limit: take })
  return err(
    problem('validation-error', 'The query does not fit this operation.', {
      code: 'invalid_parameter',
      errors: [{ parameter: 'sort', code: 'invalid', detail: 'Sortable: -id, the newest first.' }],
    }),
  )
}

/** The same for what a person allowed a client: of either, or of both. */
export function accessSearch(query: PageQuery): Result<AccessSearch, Problem> {
  const page = newestFirst(query)
  if (page.kind === 'error') return page
  const named = (field: string) => filterValue(query.filter, field)
  return ok({ ...page.value, subject: named('subject'), clientId: named('client_id') })
}

interface NewestFirst {
  readonly before: string | null
  readonly limit: number
}
