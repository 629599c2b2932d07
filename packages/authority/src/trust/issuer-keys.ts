/** The keys of a trusted issuer: declared, at an address, or found by discovery (OIDC Discovery §4, RFC 8414 §3). */
import { isUtf8 } from 'node:buffer'
import { readJson } from '@grantor/protocol/http'
import { keysFor, type ParsedJwt, type VerificationKey } from '@grantor/protocol/jose'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { TrustedIssuer } from '@grantor/protocol/trust'
import { isJsonObject } from '@grantor/protocol/types'
import { givenKeys, keysAt } from '../clients/keys.ts'
import type { Outbound, OutboundCause, OutboundError } from '../ports/outbound.ts'

const maxBytes = 64 * 1024
/** Seconds. Made-up key ids cause a new fetch no more often than this. */
const patience = 30

const cause: OutboundCause = { purpose: 'trusted_issuers', clientId: null }

/** Why an issuer's keys are not available: a fetch failed, or its discovery document names no key set. */
export type IssuerKeysProblem = OutboundError | 'undiscovered'

/** All keys that may have signed the JWT, and possibly others; 'unavailable' if they cannot be fetched now. */
export async function issuerKeys(
  trusted: TrustedIssuer,
  jwt: ParsedJwt,
  outbound: Outbound,
  because: OutboundCause = cause,
): Promise<readonly VerificationKey[] | 'unavailable'> {
  if (trusted.jwks !== undefined) return givenKeys(trusted.jwks)
  // The header's own references to keys (jku, x5u, jwk) are ignored.
  const url = await keySetUrl(trusted, outbound)
  if (url.kind === 'error') return 'unavailable'
  const known = await keysAt({ url: url.value, cause: because }, outbound)
  if (known.kind === 'ok' && keysFor(jwt, known.value).length > 0) return known.value
  const newer = await keysAt({ url: url.value, cause: because }, outbound, patience)
  return newer.kind === 'ok' ? newer.value : 'unavailable'
}

/** All keys of an issuer, without a token. */
export async function keysOfIssuer(
  trusted: TrustedIssuer,
  outbound: Outbound,
): Promise<Result<readonly VerificationKey[], IssuerKeysProblem>> {
  if (trusted.jwks !== undefined) return ok(givenKeys(trusted.jwks))
  const url = await keySetUrl(trusted, outbound)
  return url.kind === 'error' ? url : keysAt({ url: url.value, cause }, outbound)
}

async function keySetUrl(
  { issuer, jwks_uri: given }: TrustedIssuer,
  outbound: Outbound,
): Promise<Result<string, IssuerKeysProblem>> {
  if (given !== undefined) return ok(given)
  // OIDC Discovery §4.1: a final slash is removed before the path is appended.
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const document = await outbound.fetch({ url, types: ['application/json'], maxBytes, cause })
  if (document.kind === 'error') return document
  const address = keysAddress(document.value.body, issuer)
  return address === null ? err('undiscovered') : ok(address)
}

/** Parsed once for each copy of the document. */
const addresses = new WeakMap<Uint8Array, string | null>()

function keysAddress(body: Uint8Array, issuer: string): string | null {
  const known = addresses.get(body)
  if (known !== undefined) return known
  const read = isUtf8(body) ? readJson(Buffer.from(body).toString('utf8')) : null
  const metadata = read?.kind === 'ok' && isJsonObject(read.value) ? read.value : {}
  const { issuer: named, jwks_uri: url } = metadata
  // §4.3: a document that names another issuer is not accepted.
  const address = named === issuer && typeof url === 'string' ? url : null
  addresses.set(body, address)
  return address
}
