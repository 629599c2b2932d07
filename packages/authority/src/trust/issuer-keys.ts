/** The keys of a trusted issuer: given, at an address, or found by discovery (OIDC Discovery §4, RFC 8414 §3). */
import { isUtf8 } from 'node:buffer'
import { readJson } from '@grantor/protocol/http'
import { keysFor, type ParsedJwt, type VerificationKey } from '@grantor/protocol/jose'
import type { TrustedIssuer } from '@grantor/protocol/trust'
import { isJsonObject } from '@grantor/protocol/types'
import { givenKeys, keysAt } from '../clients/keys.ts'
import type { Outbound, OutboundCause } from '../ports/outbound.ts'

const maxBytes = 64 * 1024
/** Seconds. Whoever makes up key ids makes us ask no more often than this. */
const patience = 30

const cause: OutboundCause = { purpose: 'trusted_issuers', clientId: null }

/** All keys that may have signed it, and possibly others; 'unavailable' where they cannot be had now. */
export async function issuerKeys(
  trusted: TrustedIssuer,
  jwt: ParsedJwt,
  outbound: Outbound,
): Promise<readonly VerificationKey[] | 'unavailable'> {
  if (trusted.jwks !== undefined) return givenKeys(trusted.jwks)
  // What the token itself says of where its keys are (jku, x5u, jwk) is not read.
  const url = trusted.jwks_uri ?? (await discovered(trusted.issuer, outbound))
  if (url === null) return 'unavailable'
  const known = await keysAt({ url, cause }, outbound)
  if (known.kind === 'ok' && keysFor(jwt, known.value).length > 0) return known.value
  const newer = await keysAt({ url, cause }, outbound, patience)
  return newer.kind === 'ok' ? newer.value : 'unavailable'
}

async function discovered(issuer: string, outbound: Outbound): Promise<string | null> {
  // OIDC Discovery §4.1: a final slash goes before the rest is added.
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const document = await outbound.fetch({ url, types: ['application/json'], maxBytes, cause })
  return document.kind === 'ok' ? keysAddress(document.value.body, issuer) : null
}

/** Read once for each copy of the document. */
const addresses = new WeakMap<Uint8Array, string | null>()

function keysAddress(body: Uint8Array, issuer: string): string | null {
  const known = addresses.get(body)
  if (known !== undefined) return known
  const read = isUtf8(body) ? readJson(Buffer.from(body).toString('utf8')) : null
  const metadata = read?.kind === 'ok' && isJsonObject(read.value) ? read.value : {}
  const { issuer: named, jwks_uri: url } = metadata
  // §4.3: a document that speaks of another issuer is somebody else's.
  const address = named === issuer && typeof url === 'string' ? url : null
  addresses.set(body, address)
  return address
}
