/** Schemas and helpers that the collections of the admin API share. */
import type { PageQuery, RequestContext, StoredResource } from '@grantor/api'
import { deviceOf } from '@grantor/authority'
import type { FilterTerm } from '@grantor/protocol/http'
import type { TenantId } from '@grantor/protocol/types'
import type { AccessSearch } from '@grantor/store'
import { Type } from 'typebox'

/** A time set by the server. */
export const time = (description: string) => Type.String({ readOnly: true, format: 'date-time', description })

export const iso = (at: number): string => new Date(at).toISOString()

/** A member that is absent where there is no time. */
export const isoIf = <N extends string>(name: N, at: number | null): { readonly [K in N]?: string } =>
  (at === null ? {} : { [name]: iso(at) }) as { readonly [K in N]?: string }

/** The browser or device that was used: its user agent, and a short name. */
export const agentFields = {
  user_agent: Type.Optional(Type.String({ readOnly: true, description: 'What it said of itself' })),
  device: Type.Optional(Type.String({ readOnly: true, description: 'The same in short: Firefox · Linux' })),
}

export function agentMembers(userAgent: string | null): { readonly user_agent?: string; readonly device?: string } {
  const device = deviceOf(userAgent)
  return { ...(userAgent === null ? {} : { user_agent: userAgent }), ...(device === null ? {} : { device }) }
}

export const tenantOf = ({ tenant }: RequestContext): TenantId => tenant as TenantId

/** The value of a filter; null where it is not given. There is at most one (joined-filters.ts). */
export function filterValue(filter: readonly FilterTerm[], field: string, op: FilterTerm['op'] = 'eq'): string | null {
  const term = filter.find((it) => it.field === field && it.op === op)
  return term === undefined ? null : String(term.values[0])
}

/** All values of a filter; null where it is not given. */
export const filterValues = (filter: readonly FilterTerm[], field: string): readonly string[] | null =>
  filter.find((it) => it.field === field)?.values.map(String) ?? null

/** A page of a short list that was read as a whole, sorted by id. */
export function inOrder<T extends { readonly id: string }>(all: readonly T[], query: PageQuery): readonly T[] {
  const [order] = query.sort
  const sign = order?.descending === true ? -1 : 1
  const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -sign : sign)
  const last = query.after === null ? null : String(query.after[0])
  return all
    .toSorted((one, other) => compare(one.id, other.id))
    .filter(({ id }) => last === null || compare(id, last) > 0)
    .slice(0, query.take)
}

/** The same for stored resources. */
export function pageById<T extends { readonly id: string }>(
  all: readonly StoredResource<T>[],
  query: PageQuery,
): readonly StoredResource<T>[] {
  const stored = new Map(all.map((it) => [it.value.id, it]))
  return inOrder(
    [...stored.values()].map(({ value }) => value),
    query,
  ).flatMap(({ id }) => stored.get(id) ?? [])
}

/** For lists sorted by id, in either direction. */
export const idPage = ({ after, take, sort }: PageQuery) => ({
  after: after === null ? null : String(after[0]),
  limit: take,
  descending: sort[0]?.descending ?? false,
})

/** For lists with one order, newest first: by descending id, as ids begin with the time. */
export const newestFirst = { order: '-id', fixedOrder: true } as const

export const newestFirstPage = ({ after, take }: PageQuery): Pick<AccessSearch, 'before' | 'limit'> => ({
  before: after === null ? null : String(after[0]),
  limit: take,
})

/** The same, filtered by person, client or both. */
export function accessSearch(query: PageQuery): AccessSearch {
  const named = (field: string) => filterValue(query.filter, field)
  return { ...newestFirstPage(query), subject: named('subject'), clientId: named('client_id') }
}

/** `Acme Inc.` becomes acme-inc; an empty result is refused later as an invalid id. */
export const idFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
    .replaceAll(/-+$/g, '')
