/** An issuer that is not ours: its keys, its documents as the outbound port would fetch them, and what it signs. */
import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import type { FetchRequest, Outbound } from '@grantor/authority'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'

export interface SigningKey {
  readonly kid: string
  readonly key: KeyObject
  readonly jwk: JsonObject
}

export function signingKey(kid: string): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { kid, key: privateKey, jwk: { ...(publicKey.export({ format: 'jwk' }) as JsonObject), kid, alg: 'ES256' } }
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export interface Signing {
  readonly header?: JsonObject
  readonly by?: SigningKey
  /** Instead of the claims, a text of JSON. */
  readonly text?: string
}

export function signedToken(claims: JsonObject, { header = {}, by = signingKey('k'), text }: Signing): string {
  const body = text === undefined ? encoded(claims) : Buffer.from(text).toString('base64url')
  const input = `${encoded({ alg: 'ES256', kid: by.kid, ...header })}.${body}`
  const key = { key: by.key, dsaEncoding: 'ieee-p1363' as const }
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
}

/** Signed with a public key as if it were a secret: what whoever believes the header's alg would take. */
export function confusedToken(claims: JsonObject, { jwk, kid }: SigningKey): string {
  const input = `${encoded({ alg: 'HS256', kid })}.${encoded(claims)}`
  return `${input}.${createHmac('sha256', JSON.stringify(jwk)).update(input).digest('base64url')}`
}

/** Several at once; whoever is away does not answer, and every question is counted. */
export class OtherIssuers implements Outbound {
  readonly asks: FetchRequest[] = []
  readonly away = new Set<string>()
  /** Whether a copy is answered until somebody wants a newer one, as the real port does. */
  remembers = false
  readonly #documents = new Map<string, Uint8Array>()
  readonly #copies = new Map<string, Uint8Array>()

  /** Publishes its metadata and keys, or new ones. */
  publish(issuer: string, keys: readonly SigningKey[], more: JsonObject = {}): void {
    const base = issuer.replace(/\/$/, '')
    const jwks = `${base}/keys.json`
    this.#put(`${base}/.well-known/openid-configuration`, { issuer, jwks_uri: jwks, ...more })
    this.#put(jwks, { keys: keys.map(({ jwk }) => jwk) })
  }

  #put(url: string, document: JsonObject): void {
    this.#documents.set(url, Buffer.from(JSON.stringify(document)))
  }

  fetch(ask: FetchRequest): ReturnType<Outbound['fetch']> {
    this.asks.push(ask)
    const copy = this.remembers && ask.noOlderThan === undefined ? this.#copies.get(ask.url) : undefined
    const found = copy ?? this.#documents.get(ask.url)
    if (found === undefined || [...this.away].some((issuer) => ask.url.startsWith(issuer)))
      return Promise.resolve(err('unreachable'))
    this.#copies.set(ask.url, found)
    return Promise.resolve(ok({ type: 'application/json', body: found, fetchedAt: 0, maxAge: 3600 }))
  }

  submit(): ReturnType<Outbound['submit']> {
    throw new Error('nothing is submitted')
  }

  deliver(): ReturnType<Outbound['deliver']> {
    return Promise.resolve(err('unreachable'))
  }

  post(): ReturnType<Outbound['post']> {
    return Promise.resolve(err('unreachable'))
  }

  notify(): ReturnType<Outbound['notify']> {
    return Promise.resolve(err('unreachable'))
  }
}

/** What a workload's token says, good for an hour. */
export const workloadClaims = (clock: number, more: JsonObject = {}): JsonObject => {
  const now = Math.floor(clock / 1000)
  return { iat: now, nbf: now, exp: now + 3600, jti: randomUUID(), ...more }
}
