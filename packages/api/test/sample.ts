/** A small API in memory, made anew for every test: what a user of the toolkit would write. */
import { problem } from '@grantor/protocol/http'
import { err } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import type { Validator } from '@grantor/resource'
import { Type } from 'typebox'
import { collection, type Collection, type CollectionPlan } from '../src/collection/collection.ts'
import type { StoredResource } from '../src/collection/handlers.ts'
import {
  type ApiVersion,
  type ResourceServer,
  resourceServer,
  type ResourceServerOptions,
} from '../src/serve/resource-server.ts'
import { type TestClient, testClient } from '../src/testing/test-client.ts'

export const Parcel = Type.Object({
  id: Type.String({ readOnly: true, pattern: '^[a-z0-9-]{1,40}$' }),
  label: Type.String({ minLength: 1, maxLength: 40 }),
  weight: Type.Integer({ minimum: 1 }),
  fragile: Type.Boolean({ default: false }),
  state: Type.Enum(['packed', 'sent'], { default: 'packed' }),
  to: Type.Optional(Type.Object({ name: Type.String(), street: Type.Optional(Type.String()) })),
  made_at: Type.String({ readOnly: true, format: 'date-time' }),
})
export type Parcel = Type.Static<typeof Parcel>
type Body = Omit<Parcel, 'id' | 'made_at'>

export const audience = 'https://api.example'
export const issuer = 'https://issuer.example'
export const all = 'parcels:read parcels:write parcels:delete'
export const start = Date.UTC(2026, 10, 15, 10) as Instant

export interface Sample {
  readonly api: ResourceServer
  readonly client: TestClient
  readonly collections: readonly Collection[]
  readonly rows: Map<string, StoredResource<Parcel>>
  /** Ids in the order the handlers were called with them. */
  readonly calls: string[]
  readonly faults: unknown[]
  put(id: string, parcel?: Partial<Parcel>, tenant?: string): StoredResource<Parcel>
  clock: { now: Instant }
}

export interface SampleOptions {
  readonly plan?: Partial<CollectionPlan<typeof Parcel, Body>>
  readonly server?: Partial<ResourceServerOptions>
  readonly version?: Partial<ApiVersion>
}

const example: Parcel = {
  id: 'p1',
  label: 'Books',
  weight: 3,
  fragile: false,
  state: 'packed',
  made_at: '2026-11-15T10:00:00.000Z',
}

export function sample({ plan = {}, server = {}, version = {} }: SampleOptions = {}): Sample {
  const rows = new Map<string, StoredResource<Parcel>>()
  const calls: string[] = []
  const faults: unknown[] = []
  const clock = { now: start }
  let versions = 0
  const key = (tenant: string, id: string): string => `${tenant}/${id}`
  const put = (id: string, parcel: Partial<Parcel> = {}, tenant = 'default'): StoredResource<Parcel> => {
    const entry = { tenant, version: ++versions, modifiedAt: clock.now, value: { ...example, ...parcel, id } }
    rows.set(key(tenant, id), entry)
    return entry
  }
  const parcels = collection<typeof Parcel, Body>({
    name: 'parcels',
    description: 'What is sent',
    schema: Parcel,
    example,
    scopes: { read: 'parcels:read', write: 'parcels:write', delete: 'parcels:delete' },
    list: {
      filter: { state: ['eq', 'in'], weight: ['gte', 'lte'], fragile: ['eq'], label: ['prefix'] },
      sort: ['weight', 'made_at'],
      order: 'weight',
    },
    handlers: {
      list({ take, sort, after }, { tenant }) {
        const mine = [...rows.values()].filter((row) => row.tenant === tenant)
        const keyed = mine.map((row) => ({ row, keys: sort.map(({ field }) => row.value[field as 'weight']) }))
        const compare = (a: readonly unknown[], b: readonly unknown[]): number => {
          for (const [i, { descending }] of sort.entries()) {
            if (a[i] === b[i]) continue
            return (String(a[i]).padStart(30) < String(b[i]).padStart(30) ? -1 : 1) * (descending ? -1 : 1)
          }
          return 0
        }
        return keyed
          .filter(({ keys }) => after === null || compare(keys, after) > 0)
          .sort((a, b) => compare(a.keys, b.keys))
          .slice(0, take)
          .map(({ row }) => row)
      },
      get: (id, { tenant }) => rows.get(key(tenant, id)) ?? null,
      create(body, { tenant }) {
        calls.push(`create ${body.label}`)
        if (body.label === 'boom') throw new Error('the database said: password=hunter2')
        if (body.label === 'taken') return problem('conflict', 'Such a parcel exists.', { code: 'conflict' })
        return put(`p${versions + 1}`, body, tenant)
      },
      insert(id, body, { tenant }) {
        calls.push(`insert ${id}`)
        return rows.has(key(tenant, id)) ? 'changed' : put(id, body, tenant)
      },
      async update(id, { body, expected, before }, { tenant }) {
        calls.push(`update ${id}`)
        await Promise.resolve()
        if (rows.get(key(tenant, id))?.version !== expected) return 'changed'
        return put(id, { made_at: before.made_at, ...body }, tenant)
      },
      remove(id, expected, { tenant }) {
        calls.push(`remove ${id}`)
        if (rows.get(key(tenant, id))?.version !== expected) return 'changed'
        rows.delete(key(tenant, id))
        return 'removed'
      },
    },
    ...plan,
  })
  const api = apiOf([parcels], {
    now: () => clock.now,
    onError: (error) => faults.push(error),
    versions: [{ name: 'v1', collections: [parcels], ...version }],
    ...server,
  })
  return { api, client: testClient(api), collections: [parcels], rows, calls, faults, put, clock }
}

export function apiOf(collections: readonly Collection[], more: Partial<ResourceServerOptions> = {}): ResourceServer {
  return resourceServer({
    name: 'Parcels',
    audience,
    issuers: [issuer],
    validator: nobody,
    versions: [{ name: 'v1', collections }],
    ...more,
  })
}

/** Stands where client puts its own validator. Nothing was revoked, so that deferred work is done. */
export const nobody: Validator = {
  validate: () => err({ code: 'keys_unavailable', status: 503, retryAfter: 1 }),
  record: () => undefined,
  ready: () => true,
  whenReady: () => Promise.resolve(),
  close: () => Promise.resolve(),
}
