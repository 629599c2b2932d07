/**
 * The background work of a node: announces successors of old keys, records activations, removes retired keys, sweeps.
 */
import { defaultTenant, type Instant, type TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { newEvent, localOrigin, systemActor } from '../events.ts'
import type { Keyring } from '../keys/keyring.ts'
import { keyPolicy, keyState, successorDue } from '../keys/lifecycle.ts'
import { removeDueAccounts } from '../account/deletion.ts'
import { type ReapDependencies, reapUnused } from './reap.ts'
import { dropOldEvents, type RetentionDependencies } from './retention.ts'
import { openLoop } from './loop.ts'

export type UpkeepDependencies = ReapDependencies &
  RetentionDependencies & {
    readonly keyring: Keyring
    readonly store: Pick<Store, 'keys' | 'sweep' | 'users'>
  }

const keysEvery = 60_000
const sweepEvery = 5_000
const sweepBatch = 500
const pruneEvery = 600_000
const reapEvery = 600_000
const deletionsEvery = 60_000

export interface Upkeep {
  /** Maintains the keys of every tenant in memory, once. */
  keys(): Promise<void>
  /** Deletes expired rows, until none is left or `batches` are done. */
  sweep(batches: number): Promise<void>
  /** Drops events past their retention, behind a checkpoint that still verifies. */
  prune(): Promise<void>
  /** Removes clients that registered themselves and were never used. */
  reap(): Promise<void>
  /** Removes the accounts that people asked to delete, once their delay has passed. */
  deletions(): Promise<void>
  close(): Promise<void>
}

export function beginUpkeep(deps: UpkeepDependencies): Upkeep {
  const upkeep = {
    keys: () => keepKeys(deps),
    sweep: (batches: number) => sweep(deps, batches),
    prune: () => dropOldEvents(deps),
    reap: () => reapUnused(deps),
    deletions: () => removeDueAccounts(deps),
  }
  const loops = [
    openLoop(upkeep.keys, { every: keysEvery }),
    openLoop(() => upkeep.sweep(4), { every: sweepEvery }),
    openLoop(upkeep.prune, { every: pruneEvery }),
    openLoop(upkeep.reap, { every: reapEvery }),
    openLoop(upkeep.deletions, { every: deletionsEvery }),
  ]
  for (const loop of loops) loop.begin()
  return {
    ...upkeep,
    async close() {
      await Promise.all(loops.map((loop) => loop.close()))
    },
  }
}

async function keepKeys(deps: UpkeepDependencies): Promise<void> {
  for (const tenant of new Set([defaultTenant as TenantId, ...deps.keyring.tenants()])) await keepRing(tenant, deps)
}

async function keepRing(tenant: TenantId, deps: UpkeepDependencies): Promise<void> {
  const { store } = deps
  const policy = keyPolicy(deps.policy, await deps.directory.currentCatalogue(tenant))
  const keys = await store.keys.list(tenant)
  const now = deps.clock.now()
  for (const alg of new Set(keys.map((key) => key.alg))) {
    if (!successorDue(keys, alg, policy, now)) continue
    const activatesAt = (now + policy.keyAnnounce * 1000) as Instant
    await deps.keyring.add(systemActor, tenant, { alg, activatesAt, ring: keys })
  }
  for (const key of keys) {
    const state = keyState(keys, key, policy, now)
    const about = { actor: systemActor, data: { kid: key.kid, alg: key.alg } }
    if (state !== 'next' && state !== 'dropped' && key.notedActiveAt === null) {
      await store.keys.noteActive(tenant, key.kid, now, [newEvent(deps, localOrigin(tenant), 'key.activated', about)])
    }
    if (state === 'retired') {
      await store.keys.forget(tenant, [key.kid], [newEvent(deps, localOrigin(tenant), 'key.retired', about)])
    }
  }
}

async function sweep(deps: UpkeepDependencies, batches: number): Promise<void> {
  for (let i = 0; i < batches; i++) {
    if ((await deps.store.sweep(deps.clock.now(), sweepBatch)) === 0) return
  }
}
