/** The background work of a node: announces successors of old keys, records activations, forgets retired keys, sweeps. */
import { defaultTenant, type Instant, type TenantId } from '@grantor/protocol/types'
import { newEvent, localOrigin, systemActor } from '../events.ts'
import type { Hands } from '../hands.ts'
import { keyState, successorDue } from '../keys/lifecycle.ts'
import { reapUnused } from './reap.ts'
import { dropOldEvents } from './retention.ts'
import { openLoop } from './loop.ts'

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
  close(): Promise<void>
}

export function beginUpkeep(hands: Hands): Upkeep {
  const upkeep = {
    keys: () => keepKeys(hands),
    sweep: (batches: number) => sweep(hands, batches),
    prune: () => dropOldEvents(hands),
    reap: () => reapUnused(hands),
  }
  const loops = [
    openLoop(upkeep.keys, { every: keysEvery }),
    openLoop(() => upkeep.sweep(4), { every: sweepEvery }),
    openLoop(upkeep.prune, { every: pruneEvery }),
    openLoop(upkeep.reap, { every: reapEvery }),
  ]
  for (const loop of loops) loop.begin()
  return {
    ...upkeep,
    async close() {
      await Promise.all(loops.map((loop) => loop.close()))
    },
  }
}

async function keepKeys(hands: Hands): Promise<void> {
  for (const tenant of new Set([defaultTenant as TenantId, ...hands.keyring.tenants()])) await keepRing(tenant, hands)
}

async function keepRing(tenant: TenantId, hands: Hands): Promise<void> {
  const { store, policy } = hands
  const keys = await store.keys.list(tenant)
  const now = hands.clock.now()
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
    if ((await hands.store.sweep(hands.clock.now(), sweepBatch)) === 0) return
  }
}
