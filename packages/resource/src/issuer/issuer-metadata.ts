/** The metadata of an issuer (RFC 8414, OpenID Connect Discovery), and the issuer names of Grantor's tenants. */
import { err, ok, type Result } from '@grantor/protocol/result'
import { parseJsonObject } from '@grantor/protocol/http'
import type { JsonObject } from '@grantor/protocol/types'
import { isAllowedAddress, type Outbound } from './outbound.ts'

export interface IssuerMetadata {
  readonly jwksUri: string
  readonly tokenEndpoint: string | null
  readonly introspectionEndpoint: string | null
}

/** 'absent': the issuer's host answers that there is no such issuer. 'unavailable': there was no usable answer. */
export type DiscoveryResult = Result<IssuerMetadata, 'absent' | 'unavailable'>

const limit = { bytes: 256 * 1024, milliseconds: 5000 }

/** An issuer's metadata, read when first needed and again after `forget`. */
export class IssuerDiscovery {
  readonly issuer: string
  readonly #outbound: Outbound
  #known: DiscoveryResult | null = null
  #pending: Promise<DiscoveryResult> | null = null

  constructor(outbound: Outbound, issuer: string) {
    this.#outbound = outbound
    this.issuer = issuer
  }

  read(): Promise<DiscoveryResult> {
    if (this.#known !== null) return Promise.resolve(this.#known)
    this.#pending ??= discover(this.#outbound, this.issuer)
      .then((found) => {
        if (found.kind === 'ok') this.#known = found
        return found
      })
      .finally(() => {
        this.#pending = null
      })
    return this.#pending
  }

  /** Called when an address from the metadata did not answer as it should: it may have moved. */
  forget(): void {
    this.#known = null
  }
}

async function discover(outbound: Outbound, issuer: string): Promise<DiscoveryResult> {
  let absent = 0
  const concern = { issuer, part: 'metadata' } as const
  const addresses = metadataAddresses(issuer)
  for (const url of addresses) {
    const answer = await outbound.fetchWhole({ url, concern, headers: { accept: 'application/json' } }, limit)
    if (answer?.status === 404) absent += 1
    if (answer?.status !== 200) continue
    const metadata = readMetadata(answer.text, issuer)
    if (metadata.kind === 'ok') {
      outbound.over(concern)
      return metadata
    }
    outbound.unusable(concern, metadata.error)
  }
  if (absent < addresses.length) return err('unavailable')
  outbound.unusable(concern, 'there are no metadata (404): is this the issuer, letter by letter?')
  return err('absent')
}

/** OpenID Connect Discovery §4 appends; RFC 8414 §3.1 inserts between host and path. */
function metadataAddresses(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname === '/' ? '' : pathname.replace(/\/$/, '')
  return [
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ]
}

/** RFC 8414 §3.3: metadata that names another issuer must not be used. */
function readMetadata(text: string, issuer: string): Result<IssuerMetadata, string> {
  const document = parseJsonObject(text)
  if (document === null) return err('the metadata are no JSON object')
  if (document['issuer'] !== issuer)
    return err(`the metadata name another issuer, ${JSON.stringify(document['issuer'])?.slice(0, 200)}`)
  const jwksUri = address(document, 'jwks_uri')
  if (jwksUri === null) return err('the metadata name no jwks_uri that may be asked')
  return ok({
    jwksUri,
    tokenEndpoint: address(document, 'token_endpoint'),
    introspectionEndpoint: address(document, 'introspection_endpoint'),
  })
}

function address(document: JsonObject, name: string): string | null {
  const value = document[name]
  return typeof value === 'string' && isAllowedAddress(value) ? value : null
}

const tenantName = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/

/** A tenant's issuer is `{root}/t/{tenant}`. null where `issuer` is not a tenant of this deployment. */
export function tenantOfIssuer(root: string, issuer: string): string | null {
  const prefix = `${root}/t/`
  if (!issuer.startsWith(prefix)) return null
  const name = issuer.slice(prefix.length)
  return tenantName.test(name) ? name : null
}

/** The tenant that an issuer's own address names, and the root above it. */
export function splitTenantIssuer(issuer: string): { readonly root: string; readonly tenant: string | null } {
  const at = issuer.lastIndexOf('/t/')
  const tenant = at < 0 ? null : tenantOfIssuer(issuer.slice(0, at), issuer)
  return tenant === null ? { root: issuer, tenant: null } : { root: issuer.slice(0, at), tenant }
}
