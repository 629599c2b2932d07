/** A whole deployment over TLS for attacks on the browser's side, and browsers that are driven by hand, byte for byte. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Authority } from '@grantor/authority'
import type { JsonObject } from '@grantor/protocol/types'
import { compose } from '../../src/compose.ts'
import { loadSettings } from '../../src/config/load.ts'
import { listen } from '../../src/listen.ts'

export interface PageAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface RequestParts {
  readonly method?: string
  readonly form?: Readonly<Record<string, string>>
  /** Instead of a form: exactly these bytes. */
  readonly content?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Deployment extends AsyncDisposable {
  readonly issuer: string
  readonly origin: string
  readonly port: number
  /** The data folder. */
  readonly data: string
  /** Sends it as it is; `path` may be anything that can stand in a request line. */
  send(path: string, how?: RequestParts): Promise<PageAnswer>
  browser(): HandBrowser
  /** Somebody whom no other test knows. */
  somebody(): Person
  /** Applies what a file would say. */
  declare(file: JsonObject): Promise<void>
  readonly authority: Authority
}

export interface Person {
  readonly username: string
  readonly password: string
}

export const clientSecret = 'web-secret-of-32-or-more-characters-long'
export const redirectUri = 'https://client.example/cb'
export const byeUri = 'https://client.example/bye'
export const verifier = 'v'.repeat(43)
const people: readonly Person[] = Array.from({ length: 40 }, (_, i) => ({
  username: `person-${i}`,
  password: `password-${i}`,
}))

const television: JsonObject = {
  client_id: 'tv',
  client_name: 'Television',
  token_endpoint_auth_method: 'none',
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  scope: 'openid invoices:read offline_access',
}

const asker = (id: string, more: JsonObject = {}): JsonObject => ({
  client_id: id,
  client_name: 'Bank',
  client_secret: clientSecret,
  grant_types: ['urn:openid:params:grant-type:ciba', 'refresh_token'],
  backchannel_token_delivery_mode: 'poll',
  scope: 'openid email invoices:read invoices:write offline_access',
  ...more,
})

const objects = (id: string, { devices, backchannel, count }: Declared): JsonObject => ({
  resources: [{ identifier: 'https://api.example', name: 'Invoices' }],
  scopes: [
    { name: 'invoices:read', description: 'See invoices', resource: 'https://api.example' },
    { name: 'invoices:write', description: 'Change invoices', resource: 'https://api.example', mode: 'optional' },
  ],
  users: people.slice(0, count).map((it) => ({ ...it, email: `${it.username}@example.com` })),
  clients: [
    {
      client_id: id,
      client_secret: clientSecret,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [byeUri],
      scope: 'openid email phone invoices:read invoices:write offline_access',
    },
    {
      client_id: 'framed',
      client_secret: clientSecret,
      redirect_uris: [redirectUri, 'https://framed.example/cb'],
      frontchannel_logout_uri: 'https://framed.example/out?from=here',
      scope: 'openid invoices:read offline_access',
    },
    ...(devices ? [television] : []),
    ...(backchannel ? [asker('asker'), asker('asker-with-code', { backchannel_user_code_parameter: true })] : []),
  ],
})

interface Declared {
  readonly devices: boolean
  readonly backchannel: boolean
  readonly count: number
}

/** With so many people at most: each costs the hash of a password. */
export async function deploy(more: Readonly<Record<string, string>> = {}, count = people.length): Promise<Deployment> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.adopt(mkdtempSync(join(tmpdir(), 'grantor-interact-')), (it) => rmSync(it, { recursive: true }))
  const env = { GRANTOR_DATA: folder, GRANTOR_PORT: '0', GRANTOR_MANAGEMENT_PORT: '0', GRANTOR_LOG: 'silent', ...more }
  const loaded = loadSettings({ flags: {}, env, cwd: folder })
  assert.ok(loaded.kind === 'ok', JSON.stringify(loaded))
  const deployment = await compose(loaded.value.settings, 'server')
  const running = stack.adopt(await listen(deployment), (it) => it.close())
  const [devices, backchannel] = [more['GRANTOR_DEVICE_FLOW'] !== 'off', more['GRANTOR_BACKCHANNEL_FLOW'] !== 'off']
  const declaration = objects('web', { devices, backchannel, count })
  const declared = await deployment.authority.admin.declared.apply(
    { kind: 'operator', id: 'test' },
    { ...declaration, tenants: [{ id: 'acme', ...declaration }] },
  )
  assert.ok(declared.kind === 'ok', JSON.stringify(declared))
  const ca = running.caFile === null ? undefined : readFileSync(running.caFile)
  const agent = stack.adopt(new Agent({ ca, keepAlive: true }), (it) => it.destroy())
  const strangers = people.values()
  const at = { issuer: running.issuer, origin: running.issuer, port: running.port, data: folder }
  const send: Deployment['send'] = async (path, how = {}) =>
    checked(at.origin, await sendOverTls(agent, { ...at, path, how }))
  const owned = stack.move()
  return {
    ...at,
    send,
    browser: () => new HandBrowser({ send, origin: at.origin }),
    somebody() {
      const { value } = strangers.next()
      if (value === undefined) throw new Error('declare more people')
      return value
    },
    authority: deployment.authority,
    async declare(file) {
      const applied = await deployment.authority.admin.declared.apply({ kind: 'operator', id: 'test' }, file)
      assert.ok(applied.kind === 'ok', JSON.stringify(applied))
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

interface Sending {
  readonly port: number
  readonly path: string
  readonly how: RequestParts
}

function sendOverTls(agent: Agent, { port, path, how }: Sending): Promise<PageAnswer> {
  const content = how.content ?? (how.form === undefined ? undefined : new URLSearchParams(how.form).toString())
  const type = content === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  const method = how.method ?? (content === undefined ? 'GET' : 'POST')
  return new Promise((resolve, reject) => {
    const asking = request(
      { agent, host: 'localhost', servername: 'localhost', port, path, method, headers: { ...type, ...how.headers } },
      (response) => {
        const { statusCode: status = 0, headers } = response
        text(response).then((body) => resolve({ status, headers, body }), reject)
      },
    )
    asking.on('error', reject)
    asking.end(content)
  })
}

/** On the machine it runs on, an error page shows what an app sent, as text: markup in it would not be taken away here. */
export const withoutSent = (body: string): string =>
  body.replaceAll(/<code class="copyable" id="sent-\w+">[^<]*<\/code>/g, '')

/** What holds for every answer, whatever was asked; so every attack of this folder also looks for these. */
function checked(origin: string, answer: PageAnswer): PageAnswer {
  const { headers, body, status } = answer
  if (headers['content-type']?.startsWith('text/html') === true) {
    const policy = String(headers['content-security-policy'])
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      assert.ok(policy.includes(rule), `${rule} is missing in ${policy}`)
    }
    assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|\*/)
    assert.equal(headers['x-frame-options'], 'DENY')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cache-control'], 'no-store')
    assert.doesNotMatch(withoutSent(body), /<script(?! src="\/assets\/)|\son\w+=|javascript:/i)
  }
  for (const cookie of headers['set-cookie'] ?? []) {
    assert.match(cookie, /^__Host-grantor-[\w-]+=[^;]*; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/)
  }
  const { location } = headers
  if (typeof location === 'string') {
    assert.ok(status >= 300 && status < 400)
    const target = new URL(location, origin)
    if (target.origin === origin) assert.doesNotMatch(location, /client\.example|redirect_uri|\bcode=/)
    else assert.ok([redirectUri, byeUri].includes(`${target.origin}${target.pathname}`), location)
  }
  return answer
}

/** Keeps cookies, reads the token of a form, and otherwise sends what it is told. */
export class HandBrowser {
  readonly cookies = new Map<string, string>()
  readonly #send: Deployment['send']
  readonly origin: string

  constructor({ send, origin }: Pick<Deployment, 'send' | 'origin'>) {
    this.#send = send
    this.origin = origin
  }

  async ask(path: string, how: RequestParts = {}): Promise<PageAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.#send(path, { ...how, headers: { ...(cookie === '' ? {} : { cookie }), ...how.headers } })
    for (const set of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (set.includes('Max-Age=0')) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  /** Begins an authorization and returns the path of its hub. */
  async begin(more: Readonly<Record<string, string>> = {}, base = ''): Promise<string> {
    const answer = await this.ask(authorizePath(more, base))
    assert.equal(answer.status, 303, answer.body)
    return answer.headers.location ?? ''
  }

  /** What a press on a button of that page sends. */
  async press(
    page: string,
    step: string,
    fields: Readonly<Record<string, string>>,
    how: RequestParts = {},
  ): Promise<PageAnswer> {
    const csrf = tokenIn((await this.ask(page)).body)
    return this.ask(`${page}${step}`, { ...how, form: { csrf, ...fields } })
  }

  signIn = (hub: string, who: Person): Promise<PageAnswer> => this.press(hub, '/sign-in', { ...who })
  allow = (hub: string): Promise<PageAnswer> => this.press(hub, '/decide', { allow: 'yes' })

  /** From nothing to the address the client is sent. */
  async grant(who: Person, more: Readonly<Record<string, string>> = {}): Promise<URL> {
    const hub = await this.begin(more)
    await this.signIn(hub, who)
    await this.allow(hub)
    const answer = await this.ask(hub)
    assert.equal(answer.status, 303, answer.body)
    return new URL(answer.headers.location ?? '')
  }
}

export const authorizePath = (more: Readonly<Record<string, string>> = {}, base = ''): string =>
  `${base}/authorize?${authorizeQuery(more).toString()}`

export const authorizeQuery = (more: Readonly<Record<string, string>> = {}): URLSearchParams =>
  new URLSearchParams({
    client_id: 'web',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid invoices:read',
    state: 'xyz',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })

export const tokenIn = (page: string): string => /name="csrf" value="([\w-]{43})"/.exec(page)?.[1] ?? ''

/** What the form that is sent there holds unseen. */
export function hiddenIn(page: string, action: string): Readonly<Record<string, string>> {
  const form = page.split('<form').find((it) => it.includes(`action="${action}"`))
  const fields = form?.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g) ?? []
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]))
}

/** Which page of ours that is; 'error' and a reason for people. */
export function pageOf({
  body,
}: PageAnswer): 'login' | 'consent' | 'choose' | 'account' | 'logout' | 'error' | 'other' {
  if (body.includes('id="error"')) return 'error'
  if (body.includes('id="allow"')) return 'consent'
  if (body.includes('id="another"')) return 'choose'
  if (body.includes('id="stay"')) return 'logout'
  if (body.includes('class="sections"')) return 'account'
  return body.includes('id="username"') ? 'login' : 'other'
}
