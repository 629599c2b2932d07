/** GET /status-lists and /status-lists/{id}, without HTTP (draft-ietf-oauth-status-list §8.1, §9). */
import { hash } from 'node:crypto'
import { endpointUrl } from '@grantor/protocol/documents'
import { jwtType } from '@grantor/protocol/jose'
import type { Catalogue } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import { encodeStatuses, statusListClaims, statusListTtl, statusListUri } from '@grantor/protocol/status-list'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import { BoundedCache } from '../bounded-cache.ts'
import type { Directory } from '../directory.ts'
import type { EndpointResult } from '../endpoint.ts'
import type { Keyring } from '../keys/keyring.ts'
import { isOutage } from '../outage.ts'
import type { Issuers } from '../ports/environment.ts'
import { type ListState, RevokedPlaces, type RevokedPlacesDependencies } from './revoked-places.ts'

export interface SignedStatusList {
  readonly token: string
  readonly etag: string
  /** Seconds. */
  readonly maxAge: number
}

export interface StatusLists {
  list(tenant: TenantId, id: string): Promise<EndpointResult<SignedStatusList>>
  aggregation(tenant: TenantId): Promise<EndpointResult<JsonObject>>
}

export interface StatusListDependencies extends RevokedPlacesDependencies {
  readonly directory: Directory
  readonly issuers: Issuers
  readonly keyring: Keyring
}

/** Milliseconds: however many requests come, the log is read and a list is made no more often than this. */
const restBetween = 1_000
/** An unchanged list is signed again after half of its lifetime. */
const signedFor = (statusListTtl * 1000) / 2
/** Tenants whose lists are in memory. */
const mostTenants = 200

interface Made {
  readonly of: ListState['version']
  /** The tenant's revision, which changes with its keys. */
  readonly revision: number
  readonly signedAt: number
  readonly signed: Promise<SignedStatusList>
}

interface TenantLists {
  readonly places: RevokedPlaces
  readonly made: Map<string, Made>
  /** When the entries were read; compared both ways, because the clock may be set back. */
  readAt: Instant
  reading: Promise<void> | null
}

export function openStatusLists(deps: StatusListDependencies): StatusLists {
  const tenants = new BoundedCache<TenantId, TenantLists>(mostTenants)

  function listsOf(tenant: TenantId): TenantLists {
    const known = tenants.get(tenant)
    if (known !== undefined) return known
    const places = new RevokedPlaces(tenant, deps)
    const fresh = { places, made: new Map(), readAt: 0 as Instant, reading: null }
    tenants.set(tenant, fresh)
    return fresh
  }

  async function readOn(it: TenantLists): Promise<void> {
    const readAt = deps.clock.now()
    await it.places.advance()
    it.readAt = readAt
    const served = new Set(it.places.names())
    for (const name of it.made.keys()) if (!served.has(name)) it.made.delete(name)
  }

  async function current(tenant: TenantId): Promise<TenantLists> {
    const it = listsOf(tenant)
    if (Math.abs(deps.clock.now() - it.readAt) < restBetween) return it
    it.reading ??= readOn(it).finally(() => (it.reading = null))
    await it.reading
    return it
  }

  async function sign(id: string, state: ListState, { catalogue, readAt }: Signing): Promise<SignedStatusList> {
    const issuer = deps.issuers.issuerOf(catalogue.tenant.id)
    // A copy: the list may change while it is compressed on another thread.
    const lst = await encodeStatuses(state.bytes.slice())
    const uri = statusListUri(issuer, id)
    const aggregationUri = endpointUrl(issuer, 'statusLists')
    const signer = await deps.keyring.signer(catalogue, 'ES256')
    const token = signer.sign(jwtType.statusList, statusListClaims({ uri, issuedAt: readAt, lst, aggregationUri }))
    return { token, etag: `"${hash('sha256', token, 'base64url')}"`, maxAge: statusListTtl }
  }

  function signed(id: string, it: TenantLists, catalogue: Catalogue): Promise<SignedStatusList> | null {
    const state = it.places.list(id)
    if (state === null) return null
    const { revision } = catalogue.tenant
    const known = it.made.get(id)
    const young = known !== undefined && Math.abs(it.readAt - known.signedAt) < signedFor
    if (young && known.of === state.version && known.revision === revision) return known.signed
    const { readAt } = it
    const made = sign(id, state, { catalogue, readAt })
    it.made.set(id, { of: state.version, revision, signedAt: readAt, signed: made })
    made.catch(() => it.made.delete(id))
    return made
  }

  async function answer<T>(
    tenant: TenantId,
    of: (it: TenantLists, catalogue: Catalogue) => Promise<EndpointResult<T>> | EndpointResult<T>,
  ): Promise<EndpointResult<T>> {
    try {
      const catalogue = await deps.directory.servedCatalogue(tenant)
      if (catalogue === null) return err({ reason: 'tenant_unknown' })
      return await of(await current(tenant), catalogue)
    } catch (cause) {
      if (isOutage(cause)) return err({ reason: 'unavailable', retryAfter: 2 })
      throw cause
    }
  }

  return {
    list: (tenant, id) =>
      answer(tenant, async (it, catalogue) => {
        const list = signed(id, it, catalogue)
        return list === null ? err({ reason: 'not_found' }) : ok(await list)
      }),
    aggregation: (tenant) =>
      answer(tenant, (it) => {
        const issuer = deps.issuers.issuerOf(tenant)
        return ok({ status_lists: it.places.names().map((name) => statusListUri(issuer, name)) })
      }),
  }
}

interface Signing {
  readonly catalogue: Catalogue
  /** All revocations before this time are in the list. */
  readonly readAt: Instant
}
