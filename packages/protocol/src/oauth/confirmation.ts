/** What tokens are bound to, and what a request must prove for them: RFC 7800 §3.1, RFC 8705 §3 and §4, RFC 9449 §5. */
import { type Client, isPublic } from '../registration/client.ts'
import { err, ok, type Result } from '../result.ts'
import { type Json, type JsonObject, jsonObject } from '../types.ts'
import type { Refusal } from './refusal.ts'

/**
 * The `cnf` of a token: the key (RFC 9449 §6.1), the certificate (RFC 8705 §3.1), or both, which a user of the token
 * must prove.
 */
export type Confirmation = {
  readonly jkt?: string
  readonly 'x5t#S256'?: string
}

/** What a request has proven to possess, by thumbprints: a key by DPoP, a certificate in the TLS handshake. */
export interface Possession {
  readonly jkt: string | null
  readonly certificate: string | null
}

export const noPossession: Possession = Object.freeze({ jkt: null, certificate: null })

export interface BindingRequest {
  readonly client: Client
  readonly possession: Possession
  /** The credential that the request redeems; null for none. */
  readonly redeems: 'code' | 'device' | 'refresh' | null
  /** The binding of its grant. */
  readonly held: Confirmation | null
}

export interface Binding {
  /** The binding of the access token; null for a plain bearer token. */
  readonly confirmation: Confirmation | null
  /** The new binding of the grant, and so of its next refresh token; null leaves it unchanged. */
  readonly grant: Confirmation | null
}

const unbound: Binding = Object.freeze({ confirmation: null, grant: null })

/**
 * For a client that authenticates, that alone binds its refresh tokens, and it may use a new key (RFC 9449 §5); a code
 * is bound for every client, if its authorization request named a key (§10).
 */
export function tokenBinding({ client, possession, redeems, held }: BindingRequest): Result<Binding, Refusal> {
  const { jkt, certificate } = possession
  const { dpop_bound_access_tokens: byKey, tls_client_certificate_bound_access_tokens: byCertificate } = client.metadata
  const bindsGrant = redeems !== null && isPublic(client)
  const demanded = held !== null && (bindsGrant || redeems === 'code') ? held : null
  if (jkt === null && (byKey === true || demanded?.jkt !== undefined)) return err({ reason: 'proof_missing' })
  if (certificate === null && (byCertificate === true || demanded?.['x5t#S256'] !== undefined))
    return err({ reason: 'certificate_missing' })
  if (demanded !== null && !isProven(demanded, possession)) return err({ reason: 'grant_of_another_key' })
  if (jkt === null && byCertificate !== true) return ok(unbound)
  const confirmation = {
    ...(jkt === null ? {} : { jkt }),
    ...(byCertificate === true && certificate !== null ? { 'x5t#S256': certificate } : {}),
  }
  const adds = Object.keys(confirmation).some((name) => !Object.hasOwn(held ?? {}, name))
  return ok({ confirmation, grant: bindsGrant && adds ? { ...held, ...confirmation } : null })
}

const isProven = ({ jkt, 'x5t#S256': thumbprint }: Confirmation, possession: Possession): boolean =>
  (jkt === undefined || jkt === possession.jkt) && (thumbprint === undefined || thumbprint === possession.certificate)

/** Whether a request proves everything that the `cnf` of a token names; an unsupported member counts as not proven. */
export function holdsToken(cnf: Json | undefined, { jkt, certificate }: Possession): boolean {
  if (cnf === undefined) return true
  const proven: JsonObject = { jkt, 'x5t#S256': certificate }
  const named = Object.entries(jsonObject(cnf) ?? {})
  return named.length > 0 && named.every(([name, value]) => typeof value === 'string' && value === proven[name])
}

/**
 * RFC 9449 §10.1: a proof with a pushed request names the key of the code, as `dpop_jkt` does; if both are sent, they
 * must agree.
 */
export const keyOfCode = (dpopJkt: string | null, { jkt }: Possession): Result<string | null, Refusal> =>
  dpopJkt !== null && jkt !== null && dpopJkt !== jkt ? err({ reason: 'proof_of_another_key' }) : ok(dpopJkt ?? jkt)

/** RFC 9449 §5, §6.2: a token bound to a DPoP key has its own type; one bound to a certificate stays a bearer token. */
export const tokenTypeOf = ({ cnf }: JsonObject): 'DPoP' | 'Bearer' =>
  typeof cnf === 'object' && cnf !== null && 'jkt' in cnf ? 'DPoP' : 'Bearer'

/** RFC 7638 §3: the base64url of a SHA-256. */
export const isThumbprint = (text: string): boolean => /^[\w-]{43}$/.test(text)
