/** The public keys of a client: those it registered, or those at the address it registered, kept and refetched. */
import { isUtf8 } from 'node:buffer'
import { fittingKeys } from '@grantor/protocol/client-auth'
import { readJson } from '@grantor/protocol/http'
import { type ParsedJwt, usableKeys, type VerificationKey } from '@grantor/protocol/jose'
import type { Client } from '@grantor/protocol/registration'
import type { Json, JsonObject } from '@grantor/protocol/types'
import type { Outbound } from '../ports/outbound.ts'

const maxBytes = 64 * 1024
const types = ['application/json', 'application/jwk-set+json']
/** Seconds. A key that is not in the copy is looked for in a newer one; the fetcher spares the other side. */
const patience = 10

const none: readonly VerificationKey[] = []

// Both are remembered by what they were read from: the same set is the same object as long as it is kept.
const given = new WeakMap<JsonObject, readonly VerificationKey[]>()
const fetched = new WeakMap<Uint8Array, readonly VerificationKey[]>()

/** All keys that may have signed the assertion, and possibly others; none where they cannot be had. */
export async function clientKeys(
  { metadata }: Client,
  assertion: ParsedJwt,
  outbound: Outbound,
): Promise<readonly VerificationKey[]> {
  const { jwks, jwks_uri: url } = metadata
  if (jwks !== undefined) return remembered(given, jwks, () => usableKeys(jwks))
  if (url === undefined) return none
  const known = keysOf(await outbound.fetch({ url, types, maxBytes }))
  if (fittingKeys(assertion, metadata, known).length > 0) return known
  return keysOf(await outbound.fetch({ url, types, maxBytes, noOlderThan: patience }))
}

const keysOf = (document: Awaited<ReturnType<Outbound['fetch']>>): readonly VerificationKey[] =>
  document.kind === 'ok'
    ? remembered(fetched, document.value.body, () => usableKeys(parsed(document.value.body)))
    : none

function remembered<K extends object>(
  memory: WeakMap<K, readonly VerificationKey[]>,
  source: K,
  read: () => readonly VerificationKey[],
): readonly VerificationKey[] {
  const known = memory.get(source) ?? read()
  memory.set(source, known)
  return known
}

/** Null for what is no JSON, or says something twice. */
function parsed(body: Uint8Array): Json {
  const read = isUtf8(body) ? readJson(Buffer.from(body).toString('utf8')) : null
  return read?.kind === 'ok' ? read.value : null
}
