/** The background work of a node: announces successors of old keys, records activations, forgets retired keys, sweeps. */
import { defaultTenant, type Instant, type TenantId } from '@grantor/protocol/types'
import { newEvent, localOrigin, systemActor } from '../events.ts'
import type { Hands } from '../hands.ts'
import { keyState, successorDue } from '../keys/lifecycle.ts'
import { reapUnused } from './reap.ts'
import { dropOldEvents } from './retention.ts'
import { ignoreOutage } from '../retry-stale.ts'

const keysEvery = 60_000
const sweepEvery = 5_000
const sweepBatch = 500
const pruneEvery = 600_000
const reapEvery = 600_000

export interface Upkeep {
  /** Looks after the keys of every tenant in memory, once. */
  keys(): Promise<void>
  /** Frees what has expired, until nothing is left or `batches` are done. */
  sweep(batches: number): Promise<void>
  /** Drops events past their retention, behind a checkpoint that still verifies. */
  prune(): Promise<void>
  /** Removes clients that registered themselves and were never used. */
  reap(): Promise<void>
  close(): void
}

export function beginUpkeep(hands: Hands): Upkeep {
  const upkeep = {
    keys: () => keepKeys(hands),
    sweep: (batches: number) => sweep(hands, batches),
    prune: () => dropOldEvents(hands),
    reap: () => reapUnused(hands),
  }
  const timers = [
    every(keysEvery, upkeep.keys),
    every(sweepEvery, () => upkeep.sweep(4)),
    every(pruneEvery, upkeep.prune),
    every(reapEvery, upkeep.reap),
  ]
  return { ...upkeep, close: () => timers.forEach((timer) => clearInterval(timer)) }
}

function every(period: number, work: () => Promise<void>): NodeJS.Timeout {
  let running = false
  const timer = setInterval(() => {
    if (running) return
    running = true
    // An outage is reported by the endpoints.
    work()
      .catch(ignoreOutage)
      .finally(() => (running = false))
  }, period)
  return timer.unref()
}

async function keepKeys(hands: Hands): Promise<void> {
  for (const tenant of new Set([defaultTenant as TenantId, ...hands.keyring.tenants()])) await keepRing(tenant, hands)
}

async function keepRing(tenant: TenantId, hands: Hands): Promise<void> {
  const { store, policy } = hands
  const keys = await store.keys.list(tenant)
  const now = hands.now()
  let changed = false
  for (const alg of new Set(keys.map((key) => key.alg))) {
    if (!successorDue(keys, alg, policy, now)) continue
    const activatesAt = (now + policy.keyAnnounce * 1000) as Instant
    changed = (await hands.keyring.add(systemActor, tenant, { alg, activatesAt, ring: keys })) !== null || changed
  }
  for (const key of keys) {
    const state = keyState(keys, key, policy, now)
    const about = { actor: systemActor, data: { kid: key.kid, alg: key.alg } }
    if (state !== 'next' && state !== 'dropped' && key.notedActiveAt === null) {
      await store.keys.noteActive(tenant, key.kid, now, [newEvent(hands, localOrigin(tenant), 'key.activated', about)])
    }
    if (state === 'retired') {
      await store.keys.forget(tenant, [key.kid], [newEvent(hands, localOrigin(tenant), 'key.retired', about)])
      changed = true
    }
  }
  if (changed) hands.directory.forget(tenant)
}

async function sweep(hands: Hands, batches: number): Promise<void> {
  for (let i = 0; i < batches; i++) {
    if ((await hands.store.sweep(hands.now(), sweepBatch)) === 0) return
  }
}
