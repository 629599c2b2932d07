/** No artifact works in another's slot: everything the server hands out, put into every place that takes something. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authorizationRequest, authorizePath, Browser, freshCode, freshTokens, redeem, refresh } from './browser.ts'
import type { HttpResponse, HttpClient } from './http-client.ts'
import { assertServes, assertSafe } from './assert-safe.ts'
import { databases, deploy } from './deployment.ts'
import { api, ledger, objects, other, posting, service, unlimited, verifier, web } from './objects.ts'

const own = async (http: HttpClient, form: Readonly<Record<string, string>>): Promise<string> => {
  const { status, body } = await http.send('/token', {
    basic: service,
    form: { grant_type: 'client_credentials', ...form },
  })
  assert.equal(status, 200, body)
  return (JSON.parse(body) as { access_token: string }).access_token
}

/** What the server signs or hands out besides the tokens, each good for one thing. */
async function collectOthers(http: HttpClient, browser: Browser, token: string) {
  const pushed = await http.send('/par', { basic: web, form: authorizationRequest() })
  const described = await http.send('/introspect', {
    basic: web,
    form: { token },
    headers: [['accept', 'application/token-introspection+jwt']],
  })
  const registered = await http.send('/register', {
    method: 'POST',
    headers: [['content-type', 'application/json']],
    body: JSON.stringify({ redirect_uris: ['https://dynamic.example/cb'] }),
  })
  const registration = JSON.parse(registered.body) as Readonly<Record<string, string>>
  return {
    clientId: registration['client_id'] ?? '',
    held: {
      'pushed request': (JSON.parse(pushed.body) as { readonly request_uri: string }).request_uri,
      'signed introspection': described.body,
      'signed answer': (await browser.authorize({ response_mode: 'jwt' })).get('response') ?? '',
      'registration access token': registration['registration_access_token'] ?? '',
    },
  }
}

/** One of everything, all alive at once. */
async function collect(http: HttpClient) {
  const browser = new Browser(http)
  const code = (await browser.authorize()).get('code') ?? ''
  const stranger = new Browser(http)
  const { headers } = await stranger.go(authorizePath())
  const tokens = await freshTokens(http)
  const feed = await own(http, { scope: 'revocations:read' })
  const { clientId, held: others } = await collectOthers(http, browser, tokens.access_token)
  return {
    browser,
    stranger,
    clientId,
    held: {
      ...others,
      code,
      'JWT access token': tokens.access_token,
      'opaque access token': await own(http, { resource: ledger }),
      'refresh token': tokens.refresh_token,
      'ID token': tokens.id_token,
      'client secret': web[1],
      session: browser.cookies.get('__Host-grantor-session') ?? '',
      'browser name': stranger.cookies.get('__Host-grantor-browser') ?? '',
      interaction: (headers.location ?? '').replace('/interact/', ''),
      'feed token': feed,
      'metrics token': await own(http, { scope: 'metrics:read' }),
      snapshot: (await http.send('/revocations/snapshot', { bearer: feed })).body,
    },
  }
}
type Artifact = keyof Awaited<ReturnType<typeof collect>>['held']

interface Slot {
  readonly name: string
  readonly takes: readonly Artifact[]
  /** Whether what was put in opened anything. */
  opens(
    value: string,
    http: HttpClient,
    at: Awaited<ReturnType<typeof collect>>,
  ): Promise<readonly [boolean, HttpResponse]>
}

const introspected = async (http: HttpClient, token: string, basic: readonly [string, string]) => {
  const answer = await http.send('/introspect', { basic, form: { token } })
  return [answer.status === 200 && (JSON.parse(answer.body) as { active: boolean }).active, answer] as const
}
const reads = (path: string, takes: readonly Artifact[]): Slot => ({
  name: `Bearer at ${path}`,
  takes,
  async opens(value, http) {
    const answer = await http.send(path, { bearer: value })
    return [answer.status < 300, answer]
  },
})
const granted = (answer: HttpResponse) => [answer.status === 200, answer] as const

const slots: readonly Slot[] = [
  {
    name: 'introspection by its client',
    takes: ['JWT access token', 'refresh token'],
    opens: (it, http) => introspected(http, it, web),
  },
  {
    name: 'introspection by the service',
    takes: ['opaque access token', 'feed token', 'metrics token'],
    opens: (it, http) => introspected(http, it, service),
  },
  reads('/userinfo', ['JWT access token']),
  reads('/revocations/snapshot', ['feed token']),
  reads('/revocations/changes', ['feed token']),
  reads('/metrics', ['metrics token']),
  reads('/v1/clients', []),
  {
    name: 'access_token in a body at /userinfo',
    takes: ['JWT access token'],
    opens: async (it, http) => granted(await http.send('/userinfo', { form: { access_token: it } })),
  },
  {
    name: 'access_token in an address',
    takes: [],
    opens: async (it, http) => granted(await http.send(`/userinfo?access_token=${encodeURIComponent(it)}`)),
  },
  {
    name: 'id_token_hint',
    takes: ['ID token'],
    async opens(value, _http, { browser }) {
      const answer = await browser.visit(authorizePath({ prompt: 'none', id_token_hint: value }))
      return [answer.headers.location?.includes('code=') === true, answer]
    },
  },
  {
    name: 'client secret',
    takes: ['client secret'],
    async opens(value, http) {
      const answer = await http.send('/introspect', { basic: [web[0], value], form: { token: 'x' } })
      return [answer.status === 200, answer]
    },
  },
  {
    name: 'session cookie',
    takes: ['session'],
    async opens(value, http) {
      const headers = [['cookie', `__Host-grantor-session=${value}`]] as const
      const answer = await http.send('/account', { headers })
      return [!answer.body.includes('name="password"'), answer]
    },
  },
  {
    name: 'interaction',
    takes: ['interaction'],
    async opens(value, _http, { stranger }) {
      const answer = await stranger.go(`/interact/${encodeURIComponent(value).slice(0, 4000)}`)
      return [answer.status === 200, answer]
    },
  },
  {
    name: 'browser cookie of an interaction',
    takes: ['browser name'],
    async opens(value, http, { held }) {
      const headers = [['cookie', `__Host-grantor-browser=${value}`]] as const
      const answer = await http.send(`/interact/${held.interaction}`, { headers })
      return [answer.status === 200, answer]
    },
  },
  {
    name: 'management of a registration',
    takes: ['registration access token'],
    async opens(value, http, { clientId }) {
      const answer = await http.send(`/register/${clientId}`, { bearer: value })
      return [answer.status === 200, answer]
    },
  },
  {
    name: 'request',
    takes: [],
    async opens(value, _http, { browser }) {
      const answer = await browser.visit(authorizePath({ prompt: 'none', request: value }))
      return [answer.headers.location?.includes('code=') === true, answer]
    },
  },
  // What is spent by its use comes last.
  {
    name: 'request_uri',
    takes: ['pushed request'],
    async opens(value, _http, { browser }) {
      const query = new URLSearchParams({ client_id: web[0], request_uri: value })
      const answer = await browser.visit(`/authorize?${query.toString()}`)
      return [answer.headers.location?.includes('code=') === true, answer]
    },
  },
  { name: 'refresh_token', takes: ['refresh token'], opens: async (it, http) => granted(await refresh(http, it)) },
  { name: 'code', takes: ['code'], opens: async (it, http) => granted(await redeem(http, it)) },
]

async function tryAll(on: (typeof databases)[number]): Promise<void> {
  await using deployment = await deploy(unlimited, objects, on)
  const { http } = deployment
  const at = await collect(http)
  const artifacts = Object.entries(at.held) as [Artifact, string][]
  for (const [artifact, value] of artifacts) assert.ok(value.length > 20, `${artifact}: ${value}`)
  const cells = slots.flatMap((slot) => artifacts.map(([artifact, value]) => ({ slot, artifact, value })))
  const fits = ({ slot, artifact }: (typeof cells)[number]): boolean => slot.takes.includes(artifact)
  for (const { slot, artifact, value } of cells.filter((cell) => !fits(cell))) {
    const [opened, answer] = await slot.opens(value, http, at)
    assertSafe(`${artifact} as ${slot.name}`, answer)
    assert.equal(opened, false, `${artifact} as ${slot.name}: ${answer.status} ${answer.body.slice(0, 200)}`)
  }
  // What has not the shape of a token is not revoked, either; least of all by mistake for another.
  for (const [artifact, value] of artifacts.filter(([name]) => !/access|refresh/.test(name))) {
    assertSafe(artifact, await http.send('/revoke', { basic: web, form: { token: value } }))
  }
  for (const { slot, artifact, value } of cells.filter(fits)) {
    const [opened, answer] = await slot.opens(value, http, at)
    assert.ok(opened, `${artifact} as ${slot.name}: ${answer.status} ${answer.body.slice(0, 200)}`)
  }
  await assertServes(http)
}

for (const on of databases) {
  test(`${on}: every artifact in every slot: only the right one opens it, and no wrong use spoils it`, () => tryAll(on))
}

test('an artifact under the prefix of another is none', async () => {
  await using deployment = await deploy()
  const { http } = deployment
  const at = await collect(http)
  for (const value of Object.values(at.held).filter((text) => /^g[a-z]_/.test(text))) {
    for (const prefix of ['gc_', 'gr_', 'ga_', 'gd_', 'gs_', 'gk_', 'gl_', 'gb_', 'gi_', 'GC_', ''].filter(
      (one) => !value.startsWith(one) || one === '',
    )) {
      const renamed = prefix + value.slice(3)
      for (const slot of slots) {
        const [opened, answer] = await slot.opens(renamed, http, at)
        assertSafe(`${slot.name} ${prefix}`, answer)
        assert.equal(opened, false, `${value.slice(0, 3)} as ${prefix} in ${slot.name}`)
      }
    }
  }
})

test('RFC 6749 §4.1.3: a code is bound to its client, its redirect URI and its verifier; a stranger does not spoil it', async () => {
  await using deployment = await deploy()
  const { http } = deployment
  const code = await freshCode(http)
  const tryAll = async () => [
    await redeem(http, code, {}, { as: other }),
    await redeem(http, code, {}, { as: [web[0], 'zz9canary-wrong-secret-of-32-characters'] }),
    await http.send('/token', {
      form: {
        ...authorizationRequest(),
        grant_type: 'authorization_code',
        client_id: 'spa',
        code,
        code_verifier: verifier,
      },
    }),
    await redeem(http, code, { redirect_uri: 'https://client.example/cb?tenant=1' }),
    await redeem(http, code, { redirect_uri: 'https://client.example/cb/' }),
    await redeem(http, code, { code_verifier: 'w'.repeat(43) }),
    await redeem(http, code, { code_verifier: '' }),
    await redeem(http, code, { code_verifier: authorizationRequest()['code_challenge'] ?? '' }),
  ]
  const assertRefused = (answers: readonly HttpResponse[]): void => {
    for (const answer of answers) {
      assertSafe('a wrong redemption', answer)
      assert.ok(answer.status === 400 || answer.status === 401, answer.body)
    }
  }
  assertRefused(await tryAll())
  const redeemed = await redeem(http, code)
  assert.equal(redeemed.status, 200)
  const { access_token: bearer } = JSON.parse(redeemed.body) as { readonly access_token: string }
  assertRefused(await tryAll())
  assert.equal((await http.send('/userinfo', { bearer })).status, 200, 'nor what came of it')
  assertRefused([await redeem(http, code)])
  assert.equal((await http.send('/userinfo', { bearer })).status, 401, 'a replay with all that belongs to it ends it')
})

test('a resource server sees the tokens of its own audience and no others', async () => {
  await using deployment = await deploy()
  const { http } = deployment
  const ask = async (token: string): Promise<boolean> => {
    const form = { token, client_id: posting[0], client_secret: posting[1] }
    const { body } = await http.send('/introspect', { form })
    return (JSON.parse(body) as { active: boolean }).active
  }
  const tokens = await freshTokens(http)
  assert.equal(await ask(await own(http, { resource: api })), true)
  assert.equal(await ask(tokens.access_token), true)
  for (const token of [await own(http, { resource: ledger }), tokens.refresh_token, tokens.id_token]) {
    assert.equal(await ask(token), false)
  }
})
