/** Administration of signing keys: look, rotate, drop. */
import type { Instant, KeyRecord, TenantId } from '@grantor/protocol'
import { event, local } from '../events.ts'
import type { Admin } from '../face.ts'
import type { Hands } from '../hands.ts'
import { currentKey, keyState } from '../keys/life.ts'
import { done, failed } from './outcome.ts'
import { rewrap } from './rewrap.ts'

export function keyAdmin(hands: Hands): Admin['keys'] {
  const { store, keyring, policy } = hands
  const algsOf = (keys: readonly KeyRecord[]) => [
    ...new Set(keys.filter((key) => key.droppedAt === null).map((key) => key.alg)),
  ]

  return {
    async list(tenant) {
      const keys = await store.keys.list(tenant)
      const now = hands.now()
      return done(keys.map((key) => ({ ...shown(key), state: keyState(keys, key, policy, now) })))
    },

    async rotate(by, tenant, how) {
      const keys = await store.keys.list(tenant)
      if (keys.length === 0)
        return failed({ reason: 'absent', what: `a key ring of tenant ${tenant}; it is made when first needed` })
      const fresh: string[] = []
      for (const alg of algsOf(keys)) {
        const now = hands.now()
        const activatesAt = (how.now ? now : now + policy.keyAnnounce * 1000) as Instant
        const waiting = how.now
          ? keys.find((key) => key.alg === alg && key.droppedAt === null && key.activatesAt > now)
          : undefined
        if (waiting !== undefined) {
          // Announced already: validators have it, so it is the better one to begin with now.
          const about = { actor: by, data: { kid: waiting.kid, alg } }
          await store.keys.activate(tenant, waiting.kid, now, [event(hands, local(tenant), 'key.activated', about)])
          fresh.push(waiting.kid)
          continue
        }
        const key = await keyring.add(by, tenant, { alg, activatesAt })
        if (key === null)
          return failed({
            reason: 'conflict',
            what: 'another node rotated at the same moment; look before trying again',
          })
        fresh.push(key.kid)
      }
      hands.directory.forget(tenant)
      return done(fresh)
    },

    async drop(by, tenant, kid) {
      const keys = await store.keys.list(tenant)
      const key = keys.find((it) => it.kid === kid)
      if (key === undefined) return failed({ reason: 'absent', what: `key ${kid}` })
      if (key.droppedAt !== null) return failed({ reason: 'conflict', what: `key ${kid} is dropped already` })
      await replaceIfCurrent(key, keys, tenant)
      const about = { actor: by, data: { kid, alg: key.alg } }
      await store.keys.drop(tenant, kid, hands.now(), [event(hands, local(tenant), 'key.dropped', about)])
      hands.directory.forget(tenant)
      return done(null)
    },

    rewrap: (by) => rewrap(by, hands),
  }

  /** The ring never stands without a signer: before the current key goes, another begins. */
  async function replaceIfCurrent(key: KeyRecord, keys: readonly KeyRecord[], tenant: TenantId): Promise<void> {
    const now = hands.now()
    const others = keys.filter((it) => it.kid !== key.kid)
    if (currentKey(keys, key.alg, now)?.kid !== key.kid || currentKey(others, key.alg, now) !== null) return
    const by = { kind: 'system' as const, id: null }
    const waiting = others.find((it) => it.alg === key.alg && it.droppedAt === null)
    if (waiting === undefined) await keyring.add(by, tenant, { alg: key.alg, activatesAt: now })
    else {
      const about = { actor: by, data: { kid: waiting.kid, alg: key.alg } }
      await store.keys.activate(tenant, waiting.kid, now, [event(hands, local(tenant), 'key.activated', about)])
    }
  }
}

/** A key without its private half, sealed or not: nobody needs to see it. */
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
