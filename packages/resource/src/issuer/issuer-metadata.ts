/** What an issuer publishes about itself: RFC 8414 and OpenID Connect Discovery, and the names of Grantor's tenants. */
import { type JsonObject, parseJsonObject } from '@grantor/protocol/types'
import { allowedAddress, type Outbound } from './outbound.ts'

export interface IssuerMetadata {
  readonly jwksUri: string
  readonly tokenEndpoint: string | null
  readonly introspectionEndpoint: string | null
}

/** 'absent': the issuer's host answers that there is no such issuer. 'unavailable': nobody can say. */
export type Discovered = IssuerMetadata | 'absent' | 'unavailable'

const limit = { bytes: 256 * 1024, milliseconds: 5000 }

/** An issuer's metadata, read when first needed and again after someone found it wrong. */
export class IssuerDocument {
  readonly issuer: string
  readonly #outbound: Outbound
  #known: IssuerMetadata | null = null
  #flight: Promise<Discovered> | null = null

  constructor(outbound: Outbound, issuer: string) {
    this.#outbound = outbound
    this.issuer = issuer
  }

  read(): Promise<Discovered> {
    if (this.#known !== null) return Promise.resolve(this.#known)
    this.#flight ??= discover(this.#outbound, this.issuer).then((found) => {
      this.#flight = null
      if (typeof found !== 'string') this.#known = found
      return found
    })
    return this.#flight
  }

  /** An address in it did not answer as it should: it may have moved. */
  forget(): void {
    this.#known = null
  }
}

async function discover(outbound: Outbound, issuer: string): Promise<Discovered> {
  let absent = 0
  const places = metadataAddresses(issuer)
  for (const url of places) {
    const answer = await outbound.ask({ url, headers: { accept: 'application/json' } }, limit)
    if (answer?.status === 404) absent += 1
    if (answer?.status !== 200) continue
    const metadata = readMetadata(answer.text, issuer)
    if (metadata !== null) return metadata
  }
  return absent === places.length ? 'absent' : 'unavailable'
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
function readMetadata(text: string, issuer: string): IssuerMetadata | null {
  const document = parseJsonObject(text)
  if (document === null || document['issuer'] !== issuer) return null
  const jwksUri = address(document, 'jwks_uri')
  if (jwksUri === null) return null
  return {
    jwksUri,
    tokenEndpoint: address(document, 'token_endpoint'),
    introspectionEndpoint: address(document, 'introspection_endpoint'),
  }
}

function address(document: JsonObject, name: string): string | null {
  const value = document[name]
  return typeof value === 'string' && allowedAddress(value) ? value : null
}

const tenantName = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/

/** DECISIONS §2: a tenant's issuer is `{root}/t/{tenant}`. null where `issuer` is none of this deployment. */
export function tenantOf(root: string, issuer: string): string | null {
  const prefix = `${root}/t/`
  if (!issuer.startsWith(prefix)) return null
  const name = issuer.slice(prefix.length)
  return tenantName.test(name) ? name : null
}

/** The tenant that an issuer's own address names, and the root above it. */
export function splitIssuer(issuer: string): { readonly root: string; readonly tenant: string | null } {
  const at = issuer.lastIndexOf('/t/')
  const tenant = at < 0 ? null : tenantOf(issuer.slice(0, at), issuer)
  return tenant === null ? { root: issuer, tenant: null } : { root: issuer.slice(0, at), tenant }
}
