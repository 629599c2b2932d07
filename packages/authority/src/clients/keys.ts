/** Public keys of others: those given directly, and those at a given address, cached and fetched again. */
import { isUtf8 } from 'node:buffer'
import { readJson } from '@grantor/protocol/http'
import { fittingKeys, type ParsedJwt, usableKeys, type VerificationKey } from '@grantor/protocol/jose'
import type { Client } from '@grantor/protocol/registration'
import { ok, type Result } from '@grantor/protocol/result'
import type { Json, JsonObject } from '@grantor/protocol/types'
import type { Outbound, OutboundCause, OutboundError } from '../ports/outbound.ts'

const maxBytes = 64 * 1024
const types = ['application/json', 'application/jwk-set+json']
/**
 * Seconds. A key that is not in a cached copy is looked for in one no older than this; the fetcher limits how often it
 * asks.
 */
const patience = 10

const none: readonly VerificationKey[] = []

// Parsed key sets by the object they were read from: the same set is the same object as long as it is cached.
const givenSets = new WeakMap<JsonObject, readonly VerificationKey[]>()
const fetchedSets = new WeakMap<Uint8Array, readonly VerificationKey[]>()

/** A JWT that a client signed, and the algorithm that the client registered for such JWTs, if it did. */
interface SignedByClient {
  readonly jwt: ParsedJwt
  readonly alg: string | undefined
}

/** All keys that may have signed the JWT, and possibly others; empty if they cannot be fetched. */
export const clientKeys = (
  client: Client,
  { jwt, alg }: SignedByClient,
  outbound: Outbound,
): Promise<readonly VerificationKey[]> =>
  keysOfClient(client, (known) => fittingKeys(jwt, alg, known).length > 0, outbound)

/** The keys of a client. If `isThere` does not find the wanted key among them, a newer copy is fetched. */
export async function keysOfClient(
  { id, metadata: { jwks, jwks_uri: url } }: Client,
  isThere: (keys: readonly VerificationKey[]) => boolean,
  outbound: Outbound,
): Promise<readonly VerificationKey[]> {
  if (jwks !== undefined) return givenKeys(jwks)
  if (url === undefined) return none
  const at: KeySetAddress = { url, cause: { purpose: 'jwks_uri', clientId: id } }
  const known = orNone(await keysAt(at, outbound))
  if (isThere(known)) return known
  return orNone(await keysAt(at, outbound, patience))
}

/** The keys of a set that was registered or declared. */
export const givenKeys = (jwks: JsonObject): readonly VerificationKey[] =>
  remembered(givenSets, jwks, () => usableKeys(jwks))

export interface KeySetAddress {
  readonly url: string
  readonly cause: OutboundCause
}

/** The keys of the set at an address; with `noOlderThan`, from a copy that is at most so many seconds old. */
export async function keysAt(
  { url, cause }: KeySetAddress,
  outbound: Outbound,
  noOlderThan?: number,
): Promise<Result<readonly VerificationKey[], OutboundError>> {
  const newer = noOlderThan === undefined ? {} : { noOlderThan }
  const document = await outbound.fetch({ url, types, maxBytes, cause, ...newer })
  if (document.kind === 'error') return document
  const { body } = document.value
  return ok(remembered(fetchedSets, body, () => usableKeys(parsed(body))))
}

const orNone = (keys: Result<readonly VerificationKey[], OutboundError>): readonly VerificationKey[] =>
  keys.kind === 'ok' ? keys.value : none

function remembered<K extends object>(
  memory: WeakMap<K, readonly VerificationKey[]>,
  source: K,
  read: () => readonly VerificationKey[],
): readonly VerificationKey[] {
  const known = memory.get(source) ?? read()
  memory.set(source, known)
  return known
}

/** Null for a body that is not JSON, or JSON with a duplicate member. */
function parsed(body: Uint8Array): Json {
  const read = isUtf8(body) ? readJson(Buffer.from(body).toString('utf8')) : null
  return read?.kind === 'ok' ? read.value : null
}
