/** The states of a signing key as a function of its times and now: nodes agree because they read the same rows. */
import type { KeyRecord, SigningAlg } from '@grantor/protocol/jose'
import { type Catalogue, longestTokenLife, type Policy } from '@grantor/protocol/oauth'
import type { Instant } from '@grantor/protocol/types'

export type KeyState = 'next' | 'current' | 'retiring' | 'retired' | 'dropped'

type Times = Pick<KeyRecord, 'kid' | 'alg' | 'generation' | 'activatesAt' | 'droppedAt'>

/** The key that signs: the newest that is active and was not dropped. */
export function currentKey<K extends Times>(keys: readonly K[], alg: SigningAlg, now: Instant): K | null {
  let current: K | null = null
  for (const key of keys) {
    if (key.alg !== alg || key.droppedAt !== null || key.activatesAt > now) continue
    if (current === null || supersedes(key, current)) current = key
  }
  return current
}

/**
 * The key to sign with. Where none is active by this node's clock, the one that will be active first: it is published,
 * and the node that made it, whose clock is ahead of ours, signs with it already.
 */
export function signingKey<K extends Times>(keys: readonly K[], alg: SigningAlg, now: Instant): K | null {
  const current = currentKey(keys, alg, now)
  if (current !== null) return current
  const waiting = keys.filter((key) => key.alg === alg && key.droppedAt === null)
  return waiting.toSorted((a, b) => a.activatesAt - b.activatesAt)[0] ?? null
}

/** When another key may take over signing, if no key is added or dropped before. */
export const nextBeginning = (keys: readonly Times[], alg: SigningAlg, now: Instant): number =>
  Math.min(...keys.filter((key) => key.alg === alg && key.activatesAt > now).map((key) => key.activatesAt))

/** When the key stopped signing: the moment its successor became active. Null while it signs or waits. */
function supersededAt(keys: readonly Times[], key: Times, now: Instant): Instant | null {
  let earliest: Instant | null = null
  for (const other of keys) {
    const hasBegun = other.droppedAt === null && other.activatesAt <= now
    if (other.alg !== key.alg || !hasBegun || !supersedes(other, key)) continue
    if (earliest === null || other.activatesAt < earliest) earliest = other.activatesAt
  }
  return earliest
}

const supersedes = (a: Times, b: Times): boolean =>
  a.activatesAt > b.activatesAt || (a.activatesAt === b.activatesAt && a.generation > b.generation)

/** The policy for the keys of a tenant, with the longest token lifetime of any of its APIs. */
export const keyPolicy = (policy: Policy, catalogue: Pick<Catalogue, 'resources'> | null): Policy => ({
  ...policy,
  accessTtl: Math.max(policy.accessTtl, ...(catalogue?.resources ?? []).map(({ accessTtl }) => accessTtl ?? 0)),
})

/**
 * How long a superseded key stays published: the longest token it may have signed, leeway, and the time of
 * announcement. The lifetime may have been longer when it signed than it is now, but never longer than the longest that
 * can be declared.
 */
export function keyRetention({ accessTtl, idTokenTtl, leeway, keyAnnounce }: Policy): number {
  return (Math.max(Math.max(accessTtl, idTokenTtl) + keyAnnounce, longestTokenLife) + leeway) * 1000
}

/** When rotation will supersede the key, and when it leaves the published key set; null where that is not known yet. */
export function keyTimes(
  keys: readonly Times[],
  key: Times,
  policy: Policy,
  now: Instant,
): { readonly rotatesAt: Instant | null; readonly leavesAt: Instant | null } {
  const state = keyState(keys, key, policy, now)
  const ended = supersededAt(keys, key, now)
  return {
    rotatesAt: state === 'current' ? ((key.activatesAt + policy.keyRotation * 1000) as Instant) : null,
    leavesAt: state !== 'retiring' || ended === null ? null : ((ended + keyRetention(policy)) as Instant),
  }
}

export function keyState(keys: readonly Times[], key: Times, policy: Policy, now: Instant): KeyState {
  if (key.droppedAt !== null) return 'dropped'
  if (key.activatesAt > now) return 'next'
  const ended = supersededAt(keys, key, now)
  if (ended === null) return 'current'
  return ended + keyRetention(policy) > now ? 'retiring' : 'retired'
}

/** The keys of the published key set: those whose tokens may still be in use, and those announced for later. */
export const publishedKeys = <K extends Times>(keys: readonly K[], policy: Policy, now: Instant): readonly K[] =>
  keys.filter((key) => {
    const state = keyState(keys, key, policy, now)
    return state === 'next' || state === 'current' || state === 'retiring'
  })

/** Whether to announce a successor now, so that it can take over exactly when the rotation period ends. */
export function successorDue(keys: readonly Times[], alg: SigningAlg, policy: Policy, now: Instant): boolean {
  const current = currentKey(keys, alg, now)
  if (current === null) return false
  const waiting = keys.some((key) => key.alg === alg && key.droppedAt === null && key.activatesAt > now)
  return !waiting && now >= current.activatesAt + (policy.keyRotation - policy.keyAnnounce) * 1000
}
