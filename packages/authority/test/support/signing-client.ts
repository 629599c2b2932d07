/** Clients that sign and push their authorization requests, for tests. */
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Authority, EndpointRequest } from '@grantor/authority'
import { formOf } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import { asking, type Deployment } from './deployment.ts'
import { authorizeQuery } from './person.ts'

export interface SigningKey {
  readonly kid: string
  readonly key: KeyObject
  readonly jwk: JsonObject
}

export function signingKey(kid: string): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { kid, key: privateKey, jwk: { ...(publicKey.export({ format: 'jwk' }) as JsonObject), kid } }
}

/** The parameters of a good request, as a client would send them. */
export const parameters = (more: Record<string, string> = {}): Record<string, string> => {
  const form = authorizeQuery(more)
  const names = ['client_id', 'response_type', 'redirect_uri', 'scope', 'resource', 'state', 'nonce']
  return {
    ...Object.fromEntries(
      [...names, 'code_challenge', 'code_challenge_method'].map((name) => [name, form.get(name) ?? '']),
    ),
    ...more,
  }
}

const encoded = (text: string) => Buffer.from(text).toString('base64url')

interface Jws {
  readonly header?: JsonObject
  readonly claims: string
  readonly by: SigningKey
}

/** A JWS over exactly this text, honest or not. */
export function jws({ header = {}, claims, by }: Jws): string {
  const { alg = 'ES256' } = header
  const input = `${encoded(JSON.stringify({ alg, kid: by.kid, ...header }))}.${encoded(claims)}`
  const data = Buffer.from(input)
  if (alg === 'none') return `${input}.`
  if (alg === 'HS256') {
    const known = createPublicKey(by.key).export({ format: 'pem', type: 'spki' })
    return `${input}.${createHmac('sha256', known).update(data).digest('base64url')}`
  }
  return `${input}.${sign('sha256', data, { key: by.key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

/** What a request object says that is good; undefined takes a member away. */
export function requestClaims(
  { clock }: Pick<Deployment, 'clock'>,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const at = Math.floor(clock / 1000)
  const issued = { iss: 'web', aud: 'https://as.example', iat: at, nbf: at, exp: at + 300 }
  return JSON.stringify({ ...issued, ...parameters(), ...more })
}

export const pushing = (
  form: Readonly<Record<string, string>>,
  from: Parameters<typeof asking>[1] = {},
): EndpointRequest => asking(new URLSearchParams(form).toString(), { as: 'web', ...from })

/** Pushes, or fails the test. */
export async function push(
  authority: Authority,
  form: Readonly<Record<string, string>> = parameters(),
  from: Parameters<typeof asking>[1] = {},
): Promise<string> {
  const answer = await authority.pushedAuthorization(pushing(form, from))
  if (answer.kind === 'error') throw new Error(`not pushed: ${answer.error.reason}`)
  return answer.value['request_uri'] as string
}

export const reference = (requestUri: string, more: Record<string, string> = {}) =>
  formOf(Object.entries({ client_id: 'web', request_uri: requestUri, ...more }))
