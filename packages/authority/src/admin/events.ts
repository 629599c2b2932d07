/** Reads, verifies and signs the event log for an operator. */
import { setTimeout as pause } from 'node:timers/promises'
import { err, ok } from '@grantor/protocol/result'
import type { SealedEvent } from '@grantor/protocol/events'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Clock, Issuers } from '../ports/environment.ts'
import type { AdminResult } from './result.ts'
import { type AuditReport, hex, type KeptHead, verifyLog, type WalkWatch } from './verify-log.ts'
import { type EventSearch, findEvent, searchEvents } from './event-search.ts'
import type { SearchPage } from './clients/search-page.ts'

export interface EventAdmin {
  after(tenant: TenantId, seq: number, limit: number): Promise<AdminResult<readonly SealedEvent[]>>
  /** The newest `count`, oldest first. */
  last(tenant: TenantId, count: number): Promise<AdminResult<readonly SealedEvent[]>>
  search(tenant: TenantId, search: EventSearch): Promise<AdminResult<SearchPage<SealedEvent, number>>>
  find(tenant: TenantId, id: string): Promise<AdminResult<SealedEvent>>
  watch(wake: () => void): () => void
  /** The events after `seq`, as soon as there are any; empty if none came within `patience` milliseconds. */
  awaitAfter(tenant: TenantId, seq: number, wait: EventWait): Promise<AdminResult<readonly SealedEvent[]>>
  /** Verifies the whole log of a tenant; `kept` is a head that was noted outside the database. */
  verify(tenant: TenantId, kept: KeptHead | null, watch?: WalkWatch): Promise<AdminResult<AuditReport>>
  /** The signed head of the log, to be kept outside the database; null while the log is empty. */
  head(
    tenant: TenantId,
  ): Promise<AdminResult<{ readonly seq: number; readonly hash: string; readonly signed: string } | null>>
}

export interface EventWait {
  readonly limit: number
  readonly patience: number
}

export interface EventAdminDependencies {
  readonly clock: Clock
  readonly issuers: Issuers
  readonly directory: Directory
  readonly keyring: Keyring
  readonly store: Pick<Store, 'events' | 'epoch'>
}

export const openEventAdmin = (deps: EventAdminDependencies): EventAdmin => ({
  async after(tenant, seq, limit) {
    await settled(deps)
    return ok(await deps.store.events.after(tenant, seq, limit))
  },
  async last(tenant, count) {
    await settled(deps)
    const head = await deps.store.events.head(tenant)
    return ok(head === null ? [] : await deps.store.events.after(tenant, Math.max(0, head.seq - count), count))
  },
  async search(tenant, search) {
    await settled(deps)
    return searchEvents(deps.store.events, tenant, search)
  },
  async find(tenant, id) {
    await settled(deps)
    const found = await findEvent(deps.store.events, tenant, id)
    return found === null ? err({ reason: 'absent', what: `event ${id}` }) : ok(found)
  },
  watch: (wake) => deps.store.events.watch(wake),
  awaitAfter: async (tenant, seq, wait) => ok(await awaitAfter(deps, { tenant, seq }, wait)),
  verify: async (tenant, kept, watch) => ok(await verifyLog(deps.store, tenant, kept, watch)),
  head: (tenant) => signedHead(tenant, deps),
})

/**
 * The log grows with every token of every tenant: a waiting request reads it no more often than this, in milliseconds.
 */
const lookAgain = 250

async function awaitAfter(
  deps: EventAdminDependencies,
  { tenant, seq }: { readonly tenant: TenantId; readonly seq: number },
  { limit, patience }: EventWait,
): Promise<readonly SealedEvent[]> {
  const { events } = deps.store
  const until = performance.now() + patience
  await settled(deps)
  for (;;) {
    const found = await events.after(tenant, seq, limit)
    const remaining = until - performance.now()
    if (found.length > 0 || remaining <= 0) return found
    await wakened((wake) => events.watch(wake), remaining)
    await pause(Math.min(lookAgain, remaining))
  }
}

/** Resolves with the first wake, or when the time is over. */
async function wakened(watch: (wake: () => void) => () => void, milliseconds: number): Promise<void> {
  const woken = Promise.withResolvers<void>()
  const stop = watch(woken.resolve)
  const timer = setTimeout(woken.resolve, milliseconds)
  await woken.promise
  clearTimeout(timer)
  stop()
}

/** A reader sees at least the events that were committed before the request, including those of their own acts. */
const settled = ({ store }: EventAdminDependencies): Promise<number> => store.events.position()

/**
 * A JWS over the head: whoever keeps it outside the database can later prove that the log was cut or rewritten, and
 * that the server signed the earlier state.
 */
async function signedHead(tenant: TenantId, deps: EventAdminDependencies): ReturnType<EventAdmin['head']> {
  const catalogue = await deps.directory.currentCatalogue(tenant)
  if (catalogue === null) return err({ reason: 'absent', what: `tenant ${tenant}` })
  await settled(deps)
  const head = await deps.store.events.head(tenant)
  if (head === null) return ok(null)
  const signer = await deps.keyring.signer(catalogue, 'ES256')
  const claims = { seq: head.seq, hash: hex(head.hash) }
  const signed = signer.sign('grantor-log-head+jwt', {
    iss: deps.issuers.issuerOf(tenant),
    iat: Math.floor(deps.clock.now() / 1000),
    tenant,
    epoch: await deps.store.epoch(),
    ...claims,
  })
  return ok({ ...claims, signed })
}
