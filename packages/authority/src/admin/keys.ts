/** Administration of signing keys: listing, rotating, dropping. */
import type { Actor } from '@grantor/protocol/events'
import type { KeyRecord, SigningAlg } from '@grantor/protocol/jose'
import { err, ok } from '@grantor/protocol/result'
import type { Policy } from '@grantor/protocol/oauth'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { newEvent, localOrigin, systemActor } from '../events.ts'
import type { Keyring } from '../keys/keyring.ts'
import { currentKey, keyPolicy, keyState, type KeyState, keyTimes } from '../keys/lifecycle.ts'
import type { AdminError, AdminResult } from './result.ts'
import { rewrap, type RewrapDependencies } from './rewrap.ts'

/** A key without its private half, with its present and future states. */
export interface ShownKey extends Omit<KeyRecord, 'sealedPrivate'> {
  readonly state: KeyState
  /** For the signing key: when its successor takes over, if no rotation is requested before. */
  readonly rotatesAt: Instant | null
  /** For a superseded key: until when it is published. */
  readonly leavesAt: Instant | null
}

export interface KeyAdmin {
  list(tenant: TenantId): Promise<AdminResult<readonly ShownKey[]>>
  rotate(by: Actor, tenant: TenantId, how: { readonly now: boolean }): Promise<AdminResult<readonly string[]>>
  drop(by: Actor, tenant: TenantId, kid: string): Promise<AdminResult<null>>
  /** Seals every secret of every tenant under the current master key; returns how many were under another. */
  rewrap(by: Actor): Promise<AdminResult<number>>
}

export type KeyAdminDependencies = RewrapDependencies & {
  readonly keyring: Keyring
  readonly policy: Policy
}

const rotatedElsewhere = err<AdminError>({
  reason: 'conflict',
  what: 'another node rotated at the same moment; look before trying again',
})

interface Rotated {
  readonly tenant: TenantId
  readonly alg: SigningAlg
  readonly keys: readonly KeyRecord[]
}

export function openKeyAdmin(deps: KeyAdminDependencies): KeyAdmin {
  const { store, keyring, policy } = deps
  const algsOf = (keys: readonly KeyRecord[]) => [
    ...new Set(keys.filter((key) => key.droppedAt === null).map((key) => key.alg)),
  ]

  return {
    async list(tenant) {
      const keys = await store.keys.list(tenant)
      const lives = keyPolicy(policy, await store.directory.catalogue(tenant))
      const now = deps.clock.now()
      return ok(
        keys.map((key) => ({
          ...shown(key),
          state: keyState(keys, key, lives, now),
          ...keyTimes(keys, key, lives, now),
        })),
      )
    },

    async rotate(by, tenant, how) {
      const keys = await store.keys.list(tenant)
      if (keys.length === 0)
        return err({ reason: 'absent', what: `a key ring of tenant ${tenant}; it is made when first needed` })
      const fresh: string[] = []
      for (const alg of algsOf(keys)) {
        const kid = how.now ? await beginNow(by, { tenant, alg, keys }) : await announce(by, { tenant, alg, keys })
        if (kid === null) return rotatedElsewhere
        fresh.push(kid)
      }
      return ok(fresh)
    },

    async drop(by, tenant, kid) {
      const keys = await store.keys.list(tenant)
      const key = keys.find((it) => it.kid === kid)
      if (key === undefined) return err({ reason: 'absent', what: `key ${kid}` })
      if (key.droppedAt !== null) return err({ reason: 'conflict', what: `key ${kid} is dropped already` })
      if (!(await hasSuccessor(key, keys, tenant))) return rotatedElsewhere
      const about = { actor: by, data: { kid, alg: key.alg } }
      await store.keys.drop(tenant, kid, deps.clock.now(), [newEvent(deps, localOrigin(tenant), 'key.dropped', about)])
      return ok(null)
    },

    rewrap: (by) => rewrap(by, deps),
  }

  async function announce(by: Actor, { tenant, alg, keys }: Rotated): Promise<string | null> {
    const activatesAt = (deps.clock.now() + policy.keyAnnounce * 1000) as Instant
    return (await keyring.add(by, tenant, { alg, activatesAt, ring: keys }))?.kid ?? null
  }

  async function beginNow(by: Actor, { tenant, alg, keys }: Rotated): Promise<string | null> {
    const now = deps.clock.now()
    // An announced key is preferred: validators have it already.
    const waiting = keys.find((key) => key.alg === alg && key.droppedAt === null && key.activatesAt > now)
    if (waiting === undefined)
      return (await keyring.add(by, tenant, { alg, activatesAt: now, ring: keys }))?.kid ?? null
    const about = { actor: by, data: { kid: waiting.kid, alg } }
    const events = [newEvent(deps, localOrigin(tenant), 'key.activated', about)]
    return (await store.keys.activate(tenant, waiting.kid, now, events)) === 'moved' ? waiting.kid : null
  }

  /**
   * A newer key becomes active before the current one is dropped: otherwise an older, superseded one would sign again.
   */
  async function hasSuccessor(key: KeyRecord, keys: readonly KeyRecord[], tenant: TenantId): Promise<boolean> {
    if (currentKey(keys, key.alg, deps.clock.now())?.kid !== key.kid) return true
    return (await beginNow(systemActor, { tenant, alg: key.alg, keys })) !== null
  }
}

/** A key without its private half, not even sealed. */
const shown = ({
  tenant,
  kid,
  alg,
  generation,
  publishedAt,
  activatesAt,
  notedActiveAt,
  droppedAt,
  publicJwk,
}: KeyRecord) => ({
  tenant,
  kid,
  alg,
  generation,
  publishedAt,
  activatesAt,
  notedActiveAt,
  droppedAt,
  publicJwk,
})
