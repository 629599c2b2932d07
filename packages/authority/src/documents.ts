/**
 * The documents that an issuer publishes. They are served from memory, so that they remain available when the database
 * is away.
 */
import { grantorDocument, keySet, serverMetadata } from '@grantor/protocol/documents'
import type { Catalogue } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import { ssfConfiguration } from '@grantor/protocol/ssf'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { EndpointResult } from './endpoint.ts'
import type { Directory } from './directory.ts'
import type { Keyring } from './keys/keyring.ts'
import { BoundedCache } from './bounded-cache.ts'
import { capabilitiesOf, type CapabilityDependencies } from './capabilities.ts'
import { isOutage } from './outage.ts'

export interface Documents {
  /** `maxAge` fits the time for which a new key is announced before it signs. */
  keySet(tenant: TenantId): Promise<EndpointResult<{ readonly body: JsonObject; readonly maxAge: number }>>
  metadata(tenant: TenantId): Promise<EndpointResult<JsonObject>>
  /** The server's own endpoints, for which no registered metadata names exist. */
  grantor(tenant: TenantId): Promise<EndpointResult<JsonObject>>
  /** SSF 1.0 §7.1. */
  sharedSignals(tenant: TenantId): Promise<EndpointResult<JsonObject>>
}

/**
 * Milliseconds to wait for the database where a document is cached. Long enough for a busy database, since the cached
 * key set may lack a key that signs by now; a hanging database delays a validator only once.
 */
const patience = 1000

/** A key set, and the revision of the tenant at which it was read. */
interface KnownKeySet {
  readonly revision: number
  readonly body: JsonObject
}

/** How many issuers' documents survive an outage of the database. */
const maxRemembered = 1_000

export interface DocumentDependencies extends CapabilityDependencies {
  readonly directory: Directory
  readonly keyring: Keyring
}

export function openDocuments(deps: DocumentDependencies): Documents {
  const lastKeySets = new BoundedCache<TenantId, KnownKeySet>(maxRemembered)
  const lastCatalogues = new BoundedCache<TenantId, Catalogue>(maxRemembered)

  /** Reads that have exceeded their time and have not ended: while there are any, no request waits for another. */
  let late = 0

  /** The document as of the last answer of the database: it may be slightly old, but is never missing. */
  async function lastGood<T>(
    read: () => Promise<T | null>,
    memory: BoundedCache<TenantId, T>,
    tenant: TenantId,
    isCurrent: (known: T) => boolean = () => true,
  ): Promise<T | null> {
    const known = memory.get(tenant)
    if (known === undefined) return remember(await read(), memory, tenant)
    if (late > 0) return known
    const reading = read().then(
      (value) => remember(value, memory, tenant),
      (cause: unknown) => {
        if (!isOutage(cause)) throw cause
        return known
      },
    )
    return isCurrent(known) ? inTime(reading, known) : reading
  }

  function inTime<T>(reading: Promise<T | null>, known: T): Promise<T | null> {
    const { promise, resolve } = Promise.withResolvers<T>()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      late++
      resolve(known)
    }, patience)
    const over = reading.finally(() => {
      clearTimeout(timer)
      if (isLate) late--
    })
    return Promise.race([over, promise])
  }

  function remember<T>(value: T | null, memory: BoundedCache<TenantId, T>, tenant: TenantId): T | null {
    if (value === null) memory.delete(tenant)
    else memory.set(tenant, value)
    return value
  }

  const catalogueOf = (tenant: TenantId) =>
    lastGood(() => deps.directory.currentCatalogue(tenant), lastCatalogues, tenant)

  async function answer<T>(tenant: TenantId, of: (catalogue: Catalogue) => Promise<T> | T): Promise<EndpointResult<T>> {
    try {
      const catalogue = await catalogueOf(tenant)
      if (catalogue === null) lastKeySets.delete(tenant)
      if (catalogue === null || catalogue.tenant.disabledAt !== null) return err({ reason: 'tenant_unknown' })
      return ok(await of(catalogue))
    } catch (cause) {
      if (isOutage(cause)) return err({ reason: 'unavailable', retryAfter: 2 })
      throw cause
    }
  }

  return {
    keySet: (tenant) =>
      answer(tenant, async (catalogue) => {
        const published = async () => {
          // The first request for an issuer's keys creates its ring: a key set fetched before the first token must
          // verify that token.
          for (const alg of usualAlgs) await deps.keyring.signer(catalogue, alg)
          const now = await fresh(catalogue, deps)
          return { revision: now.tenant.revision, body: keySet(await deps.keyring.published(now)) }
        }
        // The database has just reported a change, so it is not away: waiting for a key that is being made is
        // worthwhile.
        const isCurrent = ({ revision }: KnownKeySet) => revision === catalogue.tenant.revision
        const known = await lastGood(published, lastKeySets, tenant, isCurrent)
        return { body: known?.body ?? { keys: [] }, maxAge: keySetMaxAge(deps.policy.keyAnnounce) }
      }),
    metadata: (tenant) =>
      answer(tenant, (catalogue) => serverMetadata(deps.issuers.issuerOf(tenant), capabilitiesOf(catalogue, deps))),
    grantor: (tenant) =>
      answer(tenant, (catalogue) => grantorDocument(deps.issuers.issuerOf(tenant), capabilitiesOf(catalogue, deps))),
    sharedSignals: (tenant) => answer(tenant, () => ssfConfiguration(deps.issuers.issuerOf(tenant))),
  }
}

/** The default signing algorithms: access tokens (RFC 9068), and ID tokens (OIDC Core §15.1). */
const usualAlgs = ['ES256', 'RS256'] as const

/**
 * Making the first key increased the tenant's revision: returns the catalogue read after that. Never an older one,
 * which another request may have begun to read before the change and cached after it.
 */
async function fresh(catalogue: Catalogue, deps: DocumentDependencies): Promise<Catalogue> {
  const found = await deps.directory.catalogue(catalogue.tenant.id)
  return found !== null && found.tenant.revision > catalogue.tenant.revision ? found : catalogue
}

/** A validator that caches for a sixth of the announcement gets every key long before it signs; an hour is enough. */
const keySetMaxAge = (announce: number): number => Math.min(3600, Math.floor(announce / 6))
