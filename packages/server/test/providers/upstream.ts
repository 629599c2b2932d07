/** Identity providers for tests: three issuers, each a GitHub too, on one TLS server, that say and sign whatever they are told. */
import assert from 'node:assert/strict'
import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { JsonObject } from '@grantor/protocol/types'
import { issueCertificate } from '../../src/tls/issue-certificate.ts'

export const upstreamSecret = 'what the provider & we know: 100%'

interface Signing {
  readonly alg: 'ES256' | 'RS256' | 'none' | 'HS256'
  readonly key: 'own' | 'other'
  readonly typ?: string
}

/** How the next answers are wrong, or what they say. */
export interface Telling {
  claims?: JsonObject
  userinfo?: JsonObject
  signing?: Partial<Signing>
  /** Instead of an answer of this endpoint. */
  broken?: Readonly<Record<string, (response: ServerResponse) => void>>
  /** Says nothing of its own name in answers. */
  unnamed?: boolean
  emails?: readonly JsonObject[]
  /** What whoever polls is answered; nothing where the answer was given already. */
  poll?: (asked: JsonObject, response: ServerResponse) => JsonObject | null | Promise<JsonObject>
}

interface IssuedCode {
  readonly clientId: string
  readonly redirectUri: string
  readonly challenge: string
  readonly nonce: string | null
  readonly sub: string
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** In the key set of each, beside its own. */
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** One of the issuers. */
export class FakeIssuer {
  readonly issuer: string
  telling: Telling = {}
  readonly asked: string[] = []
  /** What was asked by poll, and with which header. */
  readonly polls: { readonly asked: JsonObject; readonly authorization: string | undefined }[] = []
  readonly #codes = new Map<string, IssuedCode>()
  readonly #tokens = new Map<string, string>()
  readonly #keys = {
    own: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    other: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  }

  constructor(issuer: string) {
    this.issuer = issuer
  }

  /** The person says yes there: where their browser is sent, as the address it asks of us. */
  approve(location: string, sub: string, more: Readonly<Record<string, string>> = {}): string {
    const asked = new URL(location)
    assert.ok(location.startsWith(this.issuer), location)
    const get = (name: string): string => asked.searchParams.get(name) ?? ''
    assert.equal(get('response_type'), 'code')
    const code = randomUUID()
    this.#codes.set(code, {
      clientId: get('client_id'),
      redirectUri: get('redirect_uri'),
      challenge: get('code_challenge'),
      nonce: asked.searchParams.get('nonce'),
      sub,
    })
    const iss: Record<string, string> = this.telling.unnamed === true ? {} : { iss: this.issuer }
    const query = new URLSearchParams({ code, state: get('state'), ...iss, ...more })
    return `${new URL(get('redirect_uri')).pathname}?${query.toString()}`
  }

  /** Signed as told. */
  jwt(claims: JsonObject, { alg = 'ES256', key = 'own', typ }: Partial<Signing> = this.telling.signing ?? {}): string {
    const kid = alg === 'RS256' ? 'rsa' : 'k'
    const signed = `${part({ alg, kid, ...(typ === undefined ? {} : { typ }) })}.${part(claims)}`
    return `${signed}.${this.#signature(signed, alg, this.#keys[key])}`
  }

  #signature(
    signed: string,
    alg: Signing['alg'],
    { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject },
  ): string {
    if (alg === 'none') return ''
    // The attack that takes a public key for a secret.
    if (alg === 'HS256')
      return createHmac('sha256', publicKey.export({ format: 'pem', type: 'spki' }))
        .update(signed)
        .digest('base64url')
    if (alg === 'RS256') return sign('sha256', Buffer.from(signed), rsa.privateKey).toString('base64url')
    return sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  }

  logoutToken(claims: JsonObject = {}, alg: Signing['alg'] = 'ES256'): string {
    const now = Math.floor(Date.now() / 1000)
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const whole = { iss: this.issuer, aud: 'us', iat: now, exp: now + 120, jti: randomUUID(), events, ...claims }
    return this.jwt(whole, { alg, typ: 'logout+jwt' })
  }

  async answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked.push(path)
    const broken = this.telling.broken?.[path]
    if (broken !== undefined) return broken(response)
    const json = (value: unknown, status = 200) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        .end(JSON.stringify(value))
    const bearer = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    switch (path) {
      case '/.well-known/openid-configuration':
        return json({
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          userinfo_endpoint: `${this.issuer}/userinfo`,
          jwks_uri: `${this.issuer}/jwks`,
          id_token_signing_alg_values_supported: ['RS256', 'ES256'],
          authorization_response_iss_parameter_supported: true,
        })
      case '/jwks':
        return json({
          keys: [
            { ...this.#keys.own.publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' },
            { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa', use: 'sig' },
          ],
        })
      case '/userinfo':
        return json({ sub: this.#tokens.get(bearer) ?? '', ...this.telling.userinfo })
      case '/token':
      case '/login/oauth/access_token':
        return json(...this.#redeem(await text(request), request.headers.authorization))
      case '/api/v3/user':
        return json({
          id: Number(this.#tokens.get(bearer)),
          login: `octo-${this.#tokens.get(bearer)}`,
          name: 'Octo Cat',
        })
      case '/poll': {
        const asked = JSON.parse(await text(request)) as JsonObject
        this.polls.push({ asked, authorization: request.headers.authorization })
        const answer = (await this.telling.poll?.(asked, response)) ?? null
        return answer === null ? undefined : json(answer)
      }
      case '/api/v3/user/emails':
        return json(this.telling.emails ?? [])
      default:
        return json({}, 404)
    }
  }

  #redeem(body: string, authorization: string | undefined): [JsonObject, number?] {
    const form = new URLSearchParams(body)
    const held = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const [id = '', secret = ''] =
      authorization === undefined
        ? [form.get('client_id') ?? '', form.get('client_secret') ?? '']
        : Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
            .toString()
            .split(':')
            .map((it) => decodeURIComponent(it.replaceAll('+', ' ')))
    const right =
      held !== undefined &&
      held.challenge === verifier &&
      held.redirectUri === form.get('redirect_uri') &&
      held.clientId === id &&
      secret === upstreamSecret
    if (!right) return [{ error: 'invalid_grant' }, 400]
    const token = randomUUID()
    this.#tokens.set(token, held.sub)
    const now = Math.floor(Date.now() / 1000)
    const said = {
      iss: this.issuer,
      sub: held.sub,
      aud: held.clientId,
      iat: now,
      exp: now + 300,
      nonce: held.nonce,
      ...this.telling.claims,
    }
    return [
      { access_token: token, token_type: 'Bearer', id_token: this.jwt(JSON.parse(JSON.stringify(said)) as JsonObject) },
    ]
  }
}

export interface FakeProviders extends AsyncDisposable {
  readonly port: number
  /** In PEM. */
  readonly ca: string
  readonly one: FakeIssuer
  readonly two: FakeIssuer
  readonly three: FakeIssuer
}

export async function openFakeProviders(): Promise<FakeProviders> {
  const life = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) }
  const ca = await issueCertificate({ name: 'CN=Private authority', validity: life, names: null, signer: null })
  const own = await issueCertificate({ name: 'CN=localhost', validity: life, names: ['localhost'], signer: ca })
  const issuers = new Map<string, FakeIssuer>()
  const server = createServer({ cert: own.cert, key: own.key }, (request, response) => {
    const [, name = '', path = ''] = /^\/(one|two|three)(\/[^?]*)/.exec(request.url ?? '') ?? []
    response.on('error', () => {})
    const issuer = issuers.get(name)
    if (issuer === undefined) response.writeHead(404).end()
    else void issuer.answer(path, request, response)
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const [one, two, three] = ['one', 'two', 'three'].map(
    (name) => new FakeIssuer(`https://localhost:${port}/${name}`),
  ) as [FakeIssuer, FakeIssuer, FakeIssuer]
  issuers.set('one', one).set('two', two).set('three', three)
  return {
    port,
    ca: ca.cert,
    one,
    two,
    three,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
