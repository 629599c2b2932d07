/** What callers write never becomes a label, a log line or a row: thousands of hostile names leave the counters as they were. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '../../interop/server.ts'
import { authorizePath, Browser, formOf, freshTokens, refresh, withoutSent } from './browser.ts'
import { assertServes, assertSafe } from './assert-safe.ts'
import { deploy } from './deployment.ts'
import { alice, service, unlimited, web } from './objects.ts'

const rounds = 1_000

/** Every series of the metrics by its name and labels, without its value. */
async function seriesOf(port: number): Promise<ReadonlySet<string>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Set(lines.map((line) => line.slice(0, line.lastIndexOf(' '))))
}

test('five thousand hostile client ids, names, paths, tenants and grant types add fewer than fifty series', async () => {
  await using deployment = await deploy({ ...unlimited, GRANTOR_LOG: 'trace' })
  const { http, server } = deployment
  const browser = new Browser(http)
  const { action, csrf } = formOf(await browser.visit('/account'))
  const mark = 'zz9hostile'
  const one = async (i: number): Promise<void> => {
    const name = `${mark}-${i}"}\n{`
    const encoded = encodeURIComponent(name)
    const basic = [name.replace('\n', ''), `a-wrong-secret-of-32-characters-${i}`] as const
    const answers = [
      await http.send('/token', { basic, form: { grant_type: name.replace('\n', '') } }),
      await http.send('/token', { basic: service, form: { grant_type: `${mark}-${i}`, scope: `${mark}-${i}` } }),
      await http.send(`/${encoded}`, {
        method: ['GET', 'POST', 'DELETE'][i % 3] ?? 'GET',
        headers: [['content-length', '0']],
      }),
      await http.send(`/t/${mark}-${i}/jwks`),
      await http.send(`/problems/${encoded}?${encoded}=${encoded}`, { headers: [['user-agent', `${mark}-${i}`]] }),
    ]
    for (const answer of answers) assertSafe(name, answer)
  }
  const visitor = async (i: number): Promise<void> => {
    await browser.go(action, { csrf, username: `${mark}-${i}"}{`, password: `zz9canary-wrong-password-${i}` })
    await browser.go(authorizePath({ client_id: `${mark}-${i}`, state: `${mark}-${i}`, nonce: `${mark}-${i}` }))
  }
  // One of each kind opens the series that the routes themselves have, once and for all.
  for (const i of [0, 1, 2]) await one(i)
  await visitor(0)
  await assertServes(http)
  const before = await seriesOf(server.managementPort)
  for (let i = 0; i < rounds; i += 20) await Promise.all(Array.from({ length: 20 }, (_, n) => one(i + n)))
  for (let i = 0; i < 20; i++) await visitor(i)
  const grown = [...(await seriesOf(server.managementPort))].filter((series) => !before.has(series))
  assert.ok(grown.length < 50, `${grown.length} new series, such as ${grown.slice(0, 3).join(' ')}`)
  for (const series of grown) assert.doesNotMatch(series, /zz9hostile/)
  assert.doesNotMatch(server.output(), /zz9hostile/)
  await assertServes(http)
})

test('what a person and their application hold is found in no log, metric, event or answer', async () => {
  await using deployment = await deploy({ ...unlimited, GRANTOR_LOG: 'trace' })
  const { http, server, data } = deployment
  const browser = new Browser(http)
  const login = await browser.visit(authorizePath())
  const rejected = await browser.submit(login, { ...alice, password: 'zz9canary-wrong-password' })
  await browser.submit(rejected, alice)
  const tokens = await freshTokens(http)
  const refreshed = JSON.parse((await refresh(http, tokens.refresh_token)).body) as typeof tokens
  const secrets = [
    ...Object.values(tokens).filter((value) => value.length > 40),
    ...Object.values(refreshed).filter((value) => typeof value === 'string' && value.length > 40),
    ...browser.cookies.values(),
    alice.password,
    'zz9canary-wrong-password',
    web[1],
  ]
  const misplaced = await Promise.all(
    secrets.flatMap((secret) => [
      http.send(`/${encodeURIComponent(secret)}`),
      http.send(`/authorize?code=${secret}&client_id=${secret}`),
      http.send('/token', { basic: web, form: { grant_type: secret, [secret.slice(0, 100)]: 'x' } }),
      http.send('/jwks', {
        headers: [
          ['x-request-id', secret],
          ['referer', `https://x.example/?code=${secret}`],
        ],
      }),
    ]),
  )
  const metrics = await (await fetch(`http://127.0.0.1:${server.managementPort}/metrics`)).text()
  assert.equal(await server.stop(), 0)
  const log = await runCommand(['audit', 'export'], { data })
  assert.match(log.stdout, /session\.started/)
  for (const secret of secrets) {
    for (const [place, text] of [
      ['the output', server.output()],
      ['the metrics', metrics],
      ['the events', log.stdout],
      ['an answer', misplaced.map(({ body, headers }) => withoutSent(body) + JSON.stringify(headers)).join('\n')],
    ] as const) {
      assert.ok(!text.includes(secret), `${place} holds ${secret.slice(0, 16)}…`)
    }
  }
})
