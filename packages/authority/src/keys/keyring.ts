/** The key rings: one per tenant, created when first needed, opened once, and cached up to a bound. */
import type { Actor } from '@grantor/protocol/events'
import type { KeyRecord, SigningAlg } from '@grantor/protocol/jose'
import type { Catalogue, Policy } from '@grantor/protocol/oauth'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent, systemActor } from '../events.ts'
import type { Vault } from '../ports/vault.ts'
import { BoundedCache } from '../bounded-cache.ts'
import { generateKey } from './generate.ts'
import { keyPolicy, nextBeginning, publishedKeys, signingKey } from './lifecycle.ts'
import { type Signer, signer, type Verifier, verifier } from './sign.ts'

/** The master key does not open a private key that is in use: a fault of the deployment, answered with 503. */
export class KeyUnopened extends Error {
  override readonly name = 'KeyUnopened'
}

interface Ring {
  readonly revision: number
  readonly policy: Policy
  readonly keys: readonly KeyRecord[]
  readonly signers: Map<string, Signer>
  readonly verifiers: Map<string, Verifier>
  /**
   * The signer of each algorithm, and until when no other key can take over, so that a token need not search for it.
   */
  readonly signing: Partial<Record<SigningAlg, Signing>>
}

interface Signing {
  readonly signer: Signer
  readonly from: Instant
  readonly until: number
}

export interface Keyring {
  /** The key that signs now. The very first key of an algorithm is made here and signs at once. */
  signer(catalogue: Catalogue, alg: SigningAlg): Promise<Signer> | Signer
  /** Any key whose signatures are still valid; null for unknown, retired and dropped ones. */
  verifier(catalogue: Catalogue, kid: string): Promise<Verified | null> | Verified | null
  published(catalogue: Catalogue): Promise<readonly KeyRecord[]>
  /** Adds the next generation; null when another node was faster. */
  add(by: Actor, tenant: TenantId, newKey: NewKey): Promise<KeyRecord | null>
  /** Tenants whose rings are in memory: this node maintains their keys. */
  tenants(): readonly TenantId[]
  forget(tenant: TenantId): void
}

export interface NewKey {
  readonly alg: SigningAlg
  readonly activatesAt: Instant
  /** The ring on which this was decided: if several nodes decide the same on the same ring, only one adds a key. */
  readonly ring: readonly KeyRecord[]
}

export interface Verified {
  readonly alg: SigningAlg
  readonly verify: Verifier['verify']
}

export interface KeyringDependencies extends EventDependencies {
  readonly policy: Policy
  readonly vault: Vault
  readonly store: Pick<Store, 'keys'>
}

export function openKeyring(deps: KeyringDependencies, maxRings = 16_000): Keyring {
  const rings = new BoundedCache<TenantId, Ring>(maxRings)
  const making = new Map<string, Promise<unknown>>()

  async function load(catalogue: Catalogue): Promise<Ring> {
    const { id, revision } = catalogue.tenant
    const before = rings.get(id)
    const ring: Ring = {
      revision,
      policy: keyPolicy(deps.policy, catalogue),
      keys: await deps.store.keys.list(id),
      // Opened keys stay open across reloads: a kid names one key for ever.
      signers: before?.signers ?? new Map(),
      verifiers: before?.verifiers ?? new Map(),
      signing: {},
    }
    rings.set(id, ring)
    return ring
  }

  const ringOf = (catalogue: Catalogue): Ring | Promise<Ring> => {
    const ring = rings.get(catalogue.tenant.id)
    return ring !== undefined && ring.revision === catalogue.tenant.revision ? ring : load(catalogue)
  }

  function open(ring: Ring, key: KeyRecord): Signer {
    const known = ring.signers.get(key.kid)
    if (known !== undefined) return known
    const der = deps.vault.open(key.sealedPrivate, sealContext(key))
    if (der === null) throw new KeyUnopened(`the master key does not open signing key ${key.kid}`)
    const opened = signer(key.kid, key.alg, der)
    ring.signers.set(key.kid, opened)
    return opened
  }

  async function add(by: Actor, tenant: TenantId, newKey: NewKey) {
    const fresh = await generateKey(newKey.alg)
    const generationsBefore = newKey.ring.filter((key) => key.alg === newKey.alg).map((key) => key.generation)
    const generation = Math.max(0, ...generationsBefore) + 1
    const now = deps.clock.now()
    const signsAtOnce = newKey.activatesAt <= now
    const unsealed = {
      tenant,
      kid: fresh.kid,
      alg: newKey.alg,
      generation,
      publishedAt: now,
      publicJwk: fresh.publicJwk,
    }
    const key: KeyRecord = {
      ...unsealed,
      activatesAt: newKey.activatesAt,
      notedActiveAt: signsAtOnce ? now : null,
      droppedAt: null,
      sealedPrivate: deps.vault.seal(fresh.privateDer, sealContext(unsealed)),
    }
    const about = { actor: by, data: { kid: key.kid, alg: key.alg, generation, activates_at: key.activatesAt } }
    const events = [newEvent(deps, localOrigin(tenant), 'key.published', about)]
    if (signsAtOnce) events.push(newEvent(deps, localOrigin(tenant), 'key.activated', about))
    return (await deps.store.keys.add(key, events)) === 'added' ? key : null
  }

  /** One key at a time for each tenant and algorithm: a burst of first requests makes one key, not a hundred. */
  async function firstSigner(catalogue: Catalogue, alg: SigningAlg, ringBefore: Ring): Promise<Signer> {
    const tenant = catalogue.tenant.id
    const slot = `${tenant} ${alg}`
    const makeFirst = () =>
      add(systemActor, tenant, { alg, activatesAt: deps.clock.now(), ring: ringBefore.keys }).finally(() =>
        making.delete(slot),
      )
    const made = making.get(slot) ?? makeFirst()
    making.set(slot, made)
    await made
    const ring = await load(catalogue)
    const key = signingKey(ring.keys, alg, deps.clock.now())
    if (key === null) throw new KeyUnopened(`no ${alg} key signs for tenant ${tenant}`)
    return open(ring, key)
  }

  function signerOf(catalogue: Catalogue, alg: SigningAlg, ring: Ring): Signer | Promise<Signer> {
    const now = deps.clock.now()
    const signing = ring.signing[alg]
    if (signing !== undefined && signing.from <= now && now < signing.until) return signing.signer
    const key = signingKey(ring.keys, alg, now)
    if (key === null) return firstSigner(catalogue, alg, ring)
    const opened = open(ring, key)
    ring.signing[alg] = { signer: opened, from: now, until: nextBeginning(ring.keys, alg, now) }
    return opened
  }

  function verifierOf(ring: Ring, kid: string): Verified | null {
    const key = publishedKeys(ring.keys, ring.policy, deps.clock.now()).find((published) => published.kid === kid)
    if (key === undefined) return null
    const known = ring.verifiers.get(kid)
    const { verify } = known ?? verifier(key.alg, key.publicJwk)
    if (known === undefined) ring.verifiers.set(kid, { verify })
    return { alg: key.alg, verify }
  }

  return {
    signer(catalogue, alg) {
      const ring = ringOf(catalogue)
      return ring instanceof Promise
        ? ring.then((loaded) => signerOf(catalogue, alg, loaded))
        : signerOf(catalogue, alg, ring)
    },
    verifier(catalogue, kid) {
      const ring = ringOf(catalogue)
      return ring instanceof Promise ? ring.then((loaded) => verifierOf(loaded, kid)) : verifierOf(ring, kid)
    },
    async published(catalogue) {
      const { keys, policy } = await ringOf(catalogue)
      return publishedKeys(keys, policy, deps.clock.now())
    },
    add,
    tenants: () => rings.keys(),
    forget: (tenant) => rings.delete(tenant),
  }
}

/** Ties a sealed private key to its place, so that rows cannot be swapped between tenants. */
export const sealContext = (key: Pick<KeyRecord, 'tenant' | 'kid' | 'alg'>): string =>
  `signing-key ${key.tenant} ${key.alg} ${key.kid}`
