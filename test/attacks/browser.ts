/** A browser without script: a cookie jar, and the forms of our pages. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { HttpResponse, HttpClient } from './http-client.ts'
import { alice, redirectUri, verifier, web } from './objects.ts'

/** Whatever sends; the rest of a client is for those who send bytes. */
export type Sender = Pick<HttpClient, 'send'>

export type Parameters = Readonly<Record<string, string>>

export const challenge = createHash('sha256').update(verifier).digest('base64url')

/** A complete authorization request. */
export const authorizationRequest = (more: Parameters = {}): Parameters => ({
  client_id: web[0],
  response_type: 'code',
  redirect_uri: redirectUri,
  scope: 'openid offline_access invoices:read',
  state: 'a-state',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  ...more,
})

export const authorizePath = (more: Parameters = {}, base = ''): string =>
  `${base}/authorize?${new URLSearchParams(authorizationRequest(more)).toString()}`

export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #http: Sender
  constructor(http: Sender) {
    this.#http = http
  }

  get cookieHeader(): string {
    return [...this.cookies].map((pair) => pair.join('=')).join('; ')
  }

  async go(path: string, form?: Parameters): Promise<HttpResponse> {
    const headers = this.cookies.size === 0 ? [] : ([['cookie', this.cookieHeader]] as const)
    const answer = await this.#http.send(path, { headers, ...(form === undefined ? {} : { form }) })
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  /** Follows redirects of ours until a page, or until it is sent elsewhere. */
  async visit(path: string, form?: Parameters): Promise<HttpResponse> {
    let answer = await this.go(path, form)
    while (answer.headers.location?.startsWith('/') === true) answer = await this.go(answer.headers.location)
    return answer
  }

  /** Sends the form of a page back with what a person fills in. */
  submit(page: HttpResponse, fields: Parameters): Promise<HttpResponse> {
    const { action, csrf } = formOf(page)
    return this.visit(action, { csrf, ...fields })
  }

  /** From the request to the answer at the client, as somebody who signs in and allows; returns what the client is told. */
  async authorize(more: Parameters = {}, { as = alice, base = '' } = {}): Promise<URLSearchParams> {
    let answer = await this.visit(authorizePath(more, base))
    if (answer.body.includes('name="password"')) answer = await this.submit(answer, { ...as, 'sign-in': 'yes' })
    if (answer.body.includes('name="allow"')) answer = await this.submit(answer, { allow: 'yes' })
    const { location = '' } = answer.headers
    assert.ok(URL.canParse(location), `${answer.status} ${answer.body.slice(0, 300)}`)
    return new URL(location).searchParams
  }
}

export function formOf({ body, status }: HttpResponse): { readonly action: string; readonly csrf: string } {
  const action = /<form method="post" action="([^"]+)"/.exec(body)?.[1]
  const csrf = /name="csrf" value="([^"]+)"/.exec(body)?.[1]
  assert.ok(action !== undefined && csrf !== undefined, `a page with a form: ${status} ${body.slice(0, 200)}`)
  return { action, csrf }
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token: string
}

export const redeem = (http: Sender, code: string, more: Parameters = {}, { as = web, base = '' } = {}) =>
  http.send(`${base}/token`, {
    basic: as,
    form: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...more,
    },
  })

export const refresh = (http: Sender, token: string, more: Parameters = {}, { as = web, base = '' } = {}) =>
  http.send(`${base}/token`, {
    basic: as,
    form: { grant_type: 'refresh_token', refresh_token: token, ...more },
  })

/** A fresh code of Alice's for the client `web`. */
export const freshCode = async (http: HttpClient, more: Parameters = {}, at: { base?: string } = {}): Promise<string> =>
  (await new Browser(http).authorize(more, at)).get('code') ?? ''

export async function freshTokens(
  http: HttpClient,
  more: Parameters = {},
  at: { base?: string } = {},
): Promise<Tokens> {
  const { status, body } = await redeem(http, await freshCode(http, more, at), {}, at)
  assert.equal(status, 200, body)
  return JSON.parse(body) as Tokens
}

export async function isActive(http: HttpClient, token: string, { as = web, base = '' } = {}): Promise<boolean> {
  const { status, body } = await http.send(`${base}/introspect`, { basic: as, form: { token } })
  assert.equal(status, 200, body)
  return (JSON.parse(body) as { active: boolean }).active
}

/** A page without what it shows on loopback of its own request: client and redirect URI, as text in their places. */
export const withoutSent = (body: string): string =>
  body.replaceAll(/<code class="copyable" id="sent-[a-z_]+">[^<]*<\/code>/g, '')
