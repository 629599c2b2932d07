/** Races over HTTP, across two nodes on one PostgreSQL: whatever arrives where and when, one outcome. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Fleet, type Node, openFleet } from '../fleet/fleet.ts'
import {
  authorizePath,
  Browser,
  formOf,
  freshCode,
  freshTokens,
  isActive,
  redeem,
  refresh,
  type Tokens,
} from './browser.ts'
import { type HttpResponse, type HttpClient, httpClientOf } from './http-client.ts'
import { assertServes } from './assert-safe.ts'
import { alice, objects, service, unlimited, web } from './objects.ts'

let fleet: Fleet
let nodes: readonly Node[]
let httpClients: readonly [HttpClient, HttpClient]
before(async () => {
  fleet = await openFleet(objects, unlimited)
  const [one, two] = [await fleet.start(), await fleet.start()]
  nodes = [one, two]
  httpClients = [httpClientOf(one.server), httpClientOf(two.server)]
})
after(async () => {
  for (const http of httpClients) http[Symbol.dispose]()
  for (const node of nodes) await node[Symbol.asyncDispose]()
  await fleet[Symbol.asyncDispose]()
})

/** `count` at once, every second one at the other node. */
const atBothNodes = (
  count: number,
  ask: (http: HttpClient, index: number) => Promise<HttpResponse>,
): Promise<readonly HttpResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => ask(httpClients[i % 2] ?? httpClients[0], i)))

const tokensIn = ({ body }: HttpResponse): Tokens => JSON.parse(body) as Tokens
const ok = (answers: readonly HttpResponse[]): readonly HttpResponse[] => answers.filter(({ status }) => status === 200)

function assertOnly(answers: readonly HttpResponse[], statuses: readonly number[]): void {
  const others = answers.filter(({ status }) => !statuses.includes(status))
  assert.deepEqual(
    others.map(({ status, body }) => `${status} ${body}`),
    [],
  )
}

test('RFC 6749 §4.1.2: a code redeemed two hundred times at two nodes gives tokens once, and the replays kill them', async () => {
  for (let round = 0; round < 3; round++) {
    const code = await freshCode(httpClients[round % 2] ?? httpClients[0])
    const answers = await atBothNodes(200, (http) => redeem(http, code))
    assertOnly(answers, [200, 400])
    const [won, ...more] = ok(answers)
    assert.ok(won !== undefined && more.length === 0, `${ok(answers).length} redemptions succeeded`)
    const { access_token, refresh_token } = tokensIn(won)
    for (const http of httpClients) {
      assert.equal(await isActive(http, access_token), false)
      assert.equal((await refresh(http, refresh_token)).status, 400)
    }
  }
})

test('a refresh token presented a hundred times at two nodes has one successor, and it works', async () => {
  for (let round = 0; round < 3; round++) {
    const { refresh_token: first } = await freshTokens(httpClients[0])
    const answers = await atBothNodes(100, (http) => refresh(http, first))
    assertOnly(answers, [200])
    const successors = new Set(answers.map((answer) => tokensIn(answer).refresh_token))
    assert.equal(successors.size, 1)
    const [next = ''] = successors
    assert.notEqual(next, first)
    const used = await refresh(httpClients[1], next)
    assert.equal(used.status, 200)
    // The successor was used: the first one is now a replay, and ends everything.
    assert.equal((await refresh(httpClients[0], first)).status, 400)
    for (const http of httpClients) {
      assert.equal(await isActive(http, tokensIn(used).access_token), false)
      assert.equal((await refresh(http, tokensIn(used).refresh_token)).status, 400)
    }
  }
})

test('RFC 7009 §2.1: a revocation among refreshes is final; nothing that any of them gave is alive after it', async () => {
  for (let round = 0; round < 8; round++) {
    const { refresh_token: token, access_token: given } = await freshTokens(httpClients[0])
    const [revoked, ...refreshed] = await atBothNodes(13, (http, i) =>
      i === 0 ? http.send('/revoke', { basic: web, form: { token } }) : refresh(http, token),
    )
    assert.equal(revoked?.status, 200)
    assertOnly(refreshed, [200, 400])
    for (const http of httpClients) {
      assert.equal(await isActive(http, given), false)
      assert.equal((await refresh(http, token)).status, 400)
      for (const answer of ok(refreshed)) {
        assert.equal(await isActive(http, tokensIn(answer).access_token), false)
        assert.equal((await refresh(http, tokensIn(answer).refresh_token)).status, 400)
      }
    }
  }
})

test('one interaction gives one code, however often and wherever the person clicks', async () => {
  for (let round = 0; round < 4; round++) {
    const browser = new Browser(httpClients[0])
    const login = await browser.visit(authorizePath({ prompt: 'consent' }))
    const { action, csrf } = formOf(await browser.submit(login, alice))
    const hub = action.replace('/decide', '')
    const headers = [['cookie', browser.cookieHeader]] as const
    // Half of them decide, half of them are already back at the hub.
    const answers = await atBothNodes(40, (http, i) =>
      i % 4 < 2 ? http.send(action, { headers, form: { csrf, allow: 'yes' } }) : http.send(hub, { headers }),
    )
    const late = await atBothNodes(10, (http) => http.send(hub, { headers }))
    const all = [...answers, ...late]
    assertOnly(all, [200, 303, 400])
    const codes = all.flatMap(({ headers: { location = '' } }) => /[?&]code=([^&]+)/.exec(location)?.[1] ?? [])
    assert.equal(codes.length, 1, `${codes.length} codes`)
    assert.equal((await redeem(httpClients[1], codes[0] ?? '')).status, 200)
  }
})

test('access that is taken back while it is refreshed is gone at every node once the page has said so', async () => {
  const browser = new Browser(httpClients[0])
  await browser.submit(await browser.visit('/account'), alice)
  const { refresh_token: token, access_token: given } = await freshTokens(httpClients[1])
  const { csrf } = formOf(await browser.visit('/account'))
  const cookie = [['cookie', browser.cookieHeader]] as const
  const [taken, ...refreshed] = await atBothNodes(17, (http, i) =>
    i === 0 ? http.send('/account', { headers: cookie, form: { csrf, revoke: web[0] } }) : refresh(http, token),
  )
  assert.equal(taken?.status, 303)
  assertOnly(refreshed, [200, 400])
  const next = ok(refreshed)[0]
  for (const http of httpClients) {
    assert.equal(await isActive(http, given), false)
    assert.equal((await refresh(http, token)).status, 400)
    if (next === undefined) continue
    assert.equal(await isActive(http, tokensIn(next).access_token), false)
    assert.equal((await refresh(http, tokensIn(next).refresh_token)).status, 400)
  }
})

test('two rotations of a secret at once: each secret that was shown works, and so does the one before', async () => {
  const rotate = () => fleet.run(['client', 'rotate-secret', service[0], '--json'])
  const ends = await Promise.all([rotate(), rotate()])
  const shown = ends.filter(({ code }) => code === 0).map(({ stdout }) => secretIn(stdout))
  assert.ok(shown.length >= 1, ends.map(({ stderr }) => stderr).join('\n'))
  assert.equal(new Set(shown).size, shown.length)
  for (const secret of [...shown, service[1]]) {
    for (const http of httpClients) {
      const form = { grant_type: 'client_credentials', scope: 'invoices:read' }
      const answer = await http.send('/token', { basic: [service[0], secret], form })
      assert.equal(answer.status, 200, answer.body)
    }
  }
})

const secretIn = (stdout: string): string => (JSON.parse(stdout) as { client_secret: string }).client_secret

test('a person who is disabled while tokens are refreshed gets none once the command has said so', async () => {
  const { refresh_token: token } = await freshTokens(httpClients[0])
  let current = token
  const over = new AbortController()
  // For what goes wrong before it is called off.
  const bound = performance.now() + 120_000
  const working = (async () => {
    for (let i = 0; !over.signal.aborted && performance.now() < bound; i++) {
      const answer = await refresh(httpClients[i % 2] ?? httpClients[0], current)
      assertOnly([answer], [200, 400])
      if (answer.status === 200) current = tokensIn(answer).refresh_token
    }
  })()
  const { code, stderr } = await fleet.run(['user', 'disable', 'alice'])
  assert.equal(code, 0, stderr)
  assertOnly(await atBothNodes(10, (http) => refresh(http, current)), [400])
  over.abort()
  await working
  assert.equal((await fleet.run(['user', 'enable', 'alice'])).code, 0)
})

test('a client that is deleted while it is issued tokens gets none once the command has said so, and those it had are dead', async () => {
  const form = { grant_type: 'client_credentials', scope: 'invoices:read' }
  const ask = (http: HttpClient): Promise<HttpResponse> => http.send('/token', { basic: service, form })
  const issued: string[] = [await assertServes(httpClients[0])]
  const over = new AbortController()
  // For what goes wrong before it is called off.
  const bound = performance.now() + 120_000
  const working = httpClients.map(async (http) => {
    while (!over.signal.aborted && performance.now() < bound) {
      const answer = await ask(http)
      assertOnly([answer], [200, 401])
      if (answer.status === 200) issued.push(tokensIn(answer).access_token)
    }
  })
  const { code, stderr } = await fleet.run(['client', 'delete', service[0], '--yes'])
  assert.equal(code, 0, stderr)
  assertOnly(await atBothNodes(20, ask), [401])
  over.abort()
  await Promise.all(working)
  const posting = { client_id: 'posting', client_secret: 'zz9canary-posting-secret-of-32-characters' }
  for (const token of [issued[0] ?? '', issued.at(-1) ?? '']) {
    for (const http of httpClients) {
      const { body } = await http.send('/introspect', { form: { ...posting, token } })
      assert.equal((JSON.parse(body) as { active: boolean }).active, false)
    }
  }
})
