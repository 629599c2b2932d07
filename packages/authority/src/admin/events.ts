/** The event log as an operator reads, verifies and vouches for it. */
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
  /** Those after `seq`, as soon as there are any; none where none came within `patience` milliseconds. */
  awaitAfter(tenant: TenantId, seq: number, wait: EventWait): Promise<AdminResult<readonly SealedEvent[]>>
  /** Walks the whole log of a tenant; `kept` is a head that was noted elsewhere. */
  verify(tenant: TenantId, kept: KeptHead | null, watch?: WalkWatch): Promise<AdminResult<AuditReport>>
  /** The head of the log, signed, to be kept elsewhere; null when nothing happened yet. */
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

/** The log moves with every token of every tenant: who waits for one looks no more often than this, in milliseconds. */
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
    const left = until - performance.now()
    if (found.length > 0 || left <= 0) return found
    await wakened((wake) => events.watch(wake), left)
    await pause(Math.min(lookAgain, left))
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

/** Whoever asks what happened sees at least what was committed before they asked, their own acts among it. */
const settled = ({ store }: EventAdminDependencies): Promise<number> => store.events.position()

/** A JWS over the head: whoever keeps it elsewhere can later show that the log was cut or rewritten, and that we said so. */
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
