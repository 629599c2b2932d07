/** The suite's side of a module: fetches metadata and keys first, sends the request, checks everything that comes back. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import type { Arrival, Browser, BrowserKind, Page } from './browser.ts'
import { callback, type Client, first, type Deployment, type Person } from './deployment.ts'
import { formsIn } from './html.ts'

export type Mode = 'query' | 'form_post'
export type Parameters = Readonly<Record<string, string | undefined>>

export interface Metadata {
  readonly [member: string]: unknown
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly userinfo_endpoint: string
  readonly jwks_uri: string
  readonly end_session_endpoint: string
}

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly idToken: string
  readonly claims: JWTPayload
  readonly scope: string
}

/** Where an authorization ended, and the pages a person was asked something on. */
export interface Visit {
  readonly end: Page | Arrival
  readonly asked: readonly ('login' | 'consent')[]
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

export const random = (): string => randomBytes(18).toString('base64url')

const json = (response: Response): Promise<unknown> => response.json()

export interface Setup {
  readonly deployment: Deployment
  readonly mode?: Mode
  readonly client?: Client
  readonly kind?: BrowserKind
  /** Behind the origin: '' for the root, /t/{tenant} for others. */
  readonly path?: string
}

/** Configures a module: whatever is fetched here must do for the rest of it, as it must for the suite. */
export async function configure(setup: Setup): Promise<RelyingParty> {
  const { deployment, mode = 'query', client = first, kind = 'plain', path = '' } = setup
  const found = await deployment.fetch(`${deployment.origin}${path}/.well-known/openid-configuration`)
  const server = (await json(found)) as Metadata
  const keys = (await json(await deployment.fetch(server.jwks_uri))) as JSONWebKeySet
  return new RelyingParty({
    deployment,
    mode,
    client,
    server,
    keys,
    person: deployment.somebody(),
    browser: deployment.browser(kind),
  })
}

interface PartyContext {
  readonly deployment: Deployment
  readonly mode: Mode
  readonly client: Client
  readonly server: Metadata
  readonly keys: JSONWebKeySet
  readonly person: Person
  readonly browser: Browser
}

export class RelyingParty {
  readonly context: PartyContext

  constructor(context: PartyContext) {
    this.context = context
  }

  /** The same browser and person at another client. */
  at = (client: Client): RelyingParty => new RelyingParty({ ...this.context, client })

  get server(): Metadata {
    return this.context.server
  }

  /** `undefined` leaves a parameter out. */
  request(more: Parameters = {}): Readonly<Record<string, string>> {
    const whole: Parameters = {
      client_id: this.context.client.id,
      redirect_uri: callback,
      scope: 'openid',
      state: random(),
      nonce: random(),
      response_type: 'code',
      response_mode: this.context.mode === 'form_post' ? 'form_post' : undefined,
      ...more,
    }
    return Object.fromEntries(Object.entries(whole).filter((pair): pair is [string, string] => pair[1] !== undefined))
  }

  /** Sends the browser off and answers whatever it is asked on the way. */
  async visit(request: Readonly<Record<string, string>>): Promise<Visit> {
    // As the suite writes it: %20 for spaces, and reserved characters as they are.
    const query = Object.entries(request).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    return this.walk(await this.context.browser.get(`${this.server.authorization_endpoint}?${query.join('&')}`))
  }

  async walk(begin: Page | Arrival): Promise<Visit> {
    const { browser, person } = this.context
    const asked: ('login' | 'consent')[] = []
    let end = begin
    while (end.at === 'page' && asked.length < 4) {
      const buttons = new Set(formsIn(end.body).flatMap((form) => [...form.buttons.keys()]))
      if (buttons.has('sign-in')) {
        asked.push('login')
        end = await browser.press(end, 'sign-in', { ...person })
      } else if (buttons.has('allow')) {
        asked.push('consent')
        end = await browser.press(end, 'allow')
      } else break
    }
    return { end, asked }
  }

  /** Everything the suite holds of every answer that reached it, good or bad. */
  received({ end }: Visit, { state }: Readonly<Record<string, string>>): URLSearchParams {
    if (end.at !== 'client') assert.fail(`nothing reached the client, but this page the person:\n${end.body}`)
    assert.equal(`${end.url.origin}${end.url.pathname}`, callback)
    assert.equal(end.url.hash, '')
    const answer = this.context.mode === 'form_post' ? end.body : end.query
    if (this.context.mode === 'form_post') {
      assert.equal(end.method, 'POST')
      assert.equal(end.query.size, 0, 'nothing is in the address')
    } else assert.equal(end.method, 'GET')
    assert.deepEqual([...answer.keys()].length, new Set(answer.keys()).size)
    assert.equal(answer.get('state'), state ?? null)
    assert.equal(answer.get('iss'), this.server.issuer)
    return answer
  }

  /** An error that came back to the client as OIDC Core §3.1.2.6 has it, with nothing else beside it. */
  refused(visit: Visit, request: Readonly<Record<string, string>>): string {
    const answer = this.received(visit, request)
    const expected = new Set(['error', 'error_description', 'error_uri', 'state', 'iss'])
    assert.deepEqual([...new Set(answer.keys()).difference(expected)], [])
    // RFC 6749 §4.1.2.1.
    assert.match(answer.get('error_description') ?? '', /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    return answer.get('error') ?? ''
  }

  code(visit: Visit, request: Readonly<Record<string, string>>): string {
    const answer = this.received(visit, request)
    assert.equal(answer.get('error'), null, answer.get('error_description') ?? '')
    assert.deepEqual([...answer.keys()].toSorted(), ['code', 'iss', 'state'])
    return answer.get('code') ?? ''
  }

  async post(form: Parameters, client = this.context.client): Promise<Answered> {
    const given = Object.entries(form).filter((pair): pair is [string, string] => pair[1] !== undefined)
    const body = new URLSearchParams(given)
    if (client.by === 'client_secret_post') body.set('client_secret', client.secret)
    if (client.by !== 'client_secret_basic') body.set('client_id', client.id)
    // The suite does not form-encode the two halves, so its ids and secrets must need none.
    const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64')
    const response = await this.context.deployment.fetch(this.server.token_endpoint, {
      method: 'POST',
      body: body.toString(),
      headers: {
        accept: 'application/json;charset=UTF-8',
        'accept-charset': 'utf-8',
        'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
        ...(client.by === 'client_secret_basic' ? { authorization: `Basic ${basic}` } : {}),
      },
    })
    assert.match(response.headers.get('content-type') ?? '', /^application\/json\b/)
    assert.match(response.headers.get('cache-control') ?? '', /\bno-store\b/)
    return { status: response.status, headers: response.headers, body: (await json(response)) as Answered['body'] }
  }

  redeem = (code: string, more: Parameters = {}): Promise<Answered> =>
    this.post({ grant_type: 'authorization_code', code, redirect_uri: callback, ...more })

  /** The token response and the ID token in it: RFC 6749 §5.1, OIDC Core §3.1.3.3, §3.1.3.7. */
  async tokens(answer: Answered, nonce: string | undefined): Promise<Tokens> {
    const { status, body } = answer
    assert.equal(status, 200, JSON.stringify(body))
    const { access_token: access, refresh_token: refresh, id_token: id, token_type: type, scope } = body
    assert.ok(typeof access === 'string' && typeof id === 'string')
    assert.match(access, /^[\x20-\x7e]{22,}$/)
    assert.match(String(type), /^bearer$/i)
    assert.ok(typeof scope === 'string' && scope !== '')
    assert.ok(Number.isInteger(body['expires_in']) && Number(body['expires_in']) > 0)
    if (refresh !== undefined) assert.ok(typeof refresh === 'string' && /^[\x20-\x7e]{22,}$/.test(refresh))
    const claims = await this.#verified(id, access)
    if (nonce !== undefined) assert.equal(claims['nonce'], nonce)
    else assert.equal(claims['nonce'], undefined)
    return {
      accessToken: access,
      refreshToken: typeof refresh === 'string' ? refresh : null,
      idToken: id,
      claims,
      scope,
    }
  }

  async #verified(idToken: string, accessToken: string): Promise<JWTPayload> {
    const { client, deployment, keys } = this.context
    assert.ok(decodeProtectedHeader(idToken).kid, 'the ID token names its key')
    const { payload, protectedHeader } = await jwtVerify(idToken, createLocalJWKSet(keys), {
      issuer: this.server.issuer,
      audience: client.id,
      algorithms: ['RS256'],
      currentDate: deployment.now(),
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'acr'],
    })
    assert.ok(keys.keys.some((key) => key.kid === protectedHeader.kid))
    assert.match(payload.sub ?? '', /^[\x21-\x7e]{1,255}$/)
    const half = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url')
    assert.equal(payload['at_hash'], half)
    return payload
  }

  userinfo(accessToken: string, how: 'get' | 'post-header' | 'post-body' = 'get'): Promise<Answered> {
    const header = { authorization: `Bearer ${accessToken}` }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    if (how === 'get') return this.#ask({ headers: header })
    if (how === 'post-header') return this.#ask({ method: 'POST', headers: { ...header, ...form } })
    return this.#ask({
      method: 'POST',
      headers: form,
      body: new URLSearchParams({ access_token: accessToken }).toString(),
    })
  }

  async #ask(init: { readonly headers: object; readonly method?: string; readonly body?: string }): Promise<Answered> {
    const headers = { accept: 'application/json;charset=UTF-8', 'accept-charset': 'utf-8', ...init.headers }
    const response = await this.context.deployment.fetch(this.server.userinfo_endpoint, { ...init, headers })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? {} : (JSON.parse(text) as object as Answered['body']),
    }
  }

  /** What the suite does in every module where all goes well, up to a first look at /userinfo. */
  async flow(more: Parameters = {}): Promise<Tokens & { readonly code: string; readonly asked: Visit['asked'] }> {
    const request = this.request(more)
    const visit = await this.visit(request)
    const code = this.code(visit, request)
    const tokens = await this.tokens(await this.redeem(code), request['nonce'])
    assert.equal((await this.userinfo(tokens.accessToken)).status, 200)
    return { ...tokens, code, asked: visit.asked }
  }
}
