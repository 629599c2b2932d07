/** Two nodes over one PostgreSQL, one of which has a wrong clock: order comes from the database, and far off is not ready. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDatabase } from '../../interop/database.ts'
import { freePort } from '../../interop/plain-browser.ts'
import { type Server, startServer, temporaryFolder } from '../../interop/server.ts'
import { isActive, redeem, Browser } from '../attacks/browser.ts'
import { type HttpClient, httpClientOf } from '../attacks/http-client.ts'
import { alice, unlimited } from '../attacks/objects.ts'
import { until } from '../faults/until.ts'
import {
  assertion,
  changePassword,
  claimsOf,
  isRight,
  seed,
  signIn,
  startValidator,
  useAssertion,
} from './deployment.ts'
import { ensureFaketime, type WallClock, wallClock } from './faketime.ts'

const skip = ensureFaketime() ?? false

interface Nodes extends AsyncDisposable {
  readonly right: HttpClient
  readonly wrong: HttpClient
  readonly rightServer: Server
  readonly wrongServer: Server
  readonly clock: WallClock
}

/** Both have one folder, and so one certificate and one master key. */
async function startNodes(ahead: number): Promise<Nodes> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await temporaryDatabase())
  const [data, elsewhere] = [stack.use(temporaryFolder()), stack.use(temporaryFolder())]
  const clock = wallClock(elsewhere, ahead)
  const port = await freePort()
  const issuer = `https://localhost:${port}`
  const shared = {
    ...unlimited,
    GRANTOR_LOG: 'info',
    ...database.settings,
    GRANTOR_MASTER_KEY: 'a-master-key-for-clocks-of-32-characters',
    GRANTOR_ISSUER: issuer,
  }
  const options = { data: data.path, seed: elsewhere.write('seed.json', seed) }
  const rightServer = stack.use(await startServer({ ...options, env: { ...shared, GRANTOR_PORT: String(port) } }))
  const wrongServer = stack.use(await startServer({ ...options, env: { ...shared, ...clock.env } }))
  const [right, wrong] = [stack.use(httpClientOf(rightServer)), stack.use(httpClientOf(wrongServer))]
  const owned = stack.move()
  return { right, wrong, rightServer, wrongServer, clock, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

interface Readiness {
  readonly status: number
  readonly problems: readonly string[]
}

async function readiness({ managementPort }: Server): Promise<Readiness> {
  const answer = await fetch(`http://127.0.0.1:${managementPort}/health/ready`)
  const { problems = [] } = (await answer.json()) as { readonly problems?: readonly string[] }
  return { status: answer.status, problems }
}

const nearNow = (seconds: unknown): boolean => Math.abs(Number(seconds) - Date.now() / 1000) < 15

for (const ahead of [-30, 30]) {
  const how = `${Math.abs(ahead)} s ${ahead < 0 ? 'slow' : 'fast'}`
  test(`RFC 7523 §3: beside a node that is ${how} a client assertion counts once`, { skip }, async () => {
    await using it = await startNodes(ahead)
    for (const [first, second] of [
      [it.right, it.wrong],
      [it.wrong, it.right],
    ] as const) {
      // One that is nearly over by the fast clock, and one that is fresh.
      for (const age of [-240, 0]) {
        const text = await assertion(it.rightServer.issuer, age)
        assert.equal((await useAssertion(first, text)).status, 200)
        for (const node of [second, first]) assert.equal((await useAssertion(node, text)).status, 401)
      }
    }
  })

  test(`tokens of a node that is ${how} are good everywhere, and dead everywhere when they end`, { skip }, async () => {
    await using it = await startNodes(ahead)
    await using validator = startValidator(it.rightServer)
    const right = await signIn(it.right, alice.password)
    const wrong = await signIn(it.wrong, alice.password)
    for (const { access_token: token } of [right, wrong]) {
      assert.ok(nearNow(claimsOf(token)['iat']), 'it says the time of the database')
      for (const node of [it.right, it.wrong]) assert.equal(await isActive(node, token), true)
      await until(
        () => validator.verdict(token),
        (verdict) => verdict === 'accepted',
      )
    }
    await changePassword(it.wrong, alice.password, 'a-new-password-of-alice')
    for (const { access_token: token } of [right, wrong]) {
      for (const node of [it.right, it.wrong]) assert.equal(await isActive(node, token), false)
      await until(
        () => validator.verdict(token),
        (verdict) => verdict === 'token_revoked',
      )
    }
    for (const node of [it.right, it.wrong]) {
      const { access_token: token } = await signIn(node, 'a-new-password-of-alice')
      for (const asked of [it.right, it.wrong]) assert.equal(await isActive(asked, token), true)
      await until(
        () => validator.verdict(token),
        (verdict) => verdict === 'accepted',
      )
    }
  })

  test(`a password is right at every node beside one that is ${how}, and a code is good there`, { skip }, async () => {
    await using it = await startNodes(ahead)
    const pairs = [
      [it.right, it.wrong, alice.password, 'a-second-password-of-alice'],
      [it.wrong, it.right, 'a-second-password-of-alice', 'a-third-password-of-alice'],
    ] as const
    for (const [here, there, old, fresh] of pairs) {
      await changePassword(here, old, fresh)
      for (const node of [there, here]) {
        assert.equal(await isRight(node, fresh), true)
        assert.equal(await isRight(node, old), false)
      }
      const as = { ...alice, password: fresh }
      const code = (await new Browser(here).authorize({}, { as })).get('code') ?? ''
      assert.equal((await redeem(there, code)).status, 200)
      assert.equal((await redeem(here, code)).status, 400, 'a code counts once')
    }
    for (const server of [it.rightServer, it.wrongServer]) assert.equal((await readiness(server)).status, 200)
  })
}

for (const ahead of [-300, 300]) {
  const how = `5 min ${ahead < 0 ? 'slow' : 'fast'}`
  test(`a node that is ${how} is not ready and says why, until its clock is put right`, { skip }, async () => {
    await using it = await startNodes(ahead)
    assert.equal((await readiness(it.rightServer)).status, 200)
    for (let round = 0; round < 2; round++) {
      const { problems } = await until(
        () => readiness(it.wrongServer),
        ({ status }) => status === 503,
      )
      const words = ahead < 0 ? 'behind' : 'ahead of'
      assert.match(problems.join(), new RegExp(`the clock of this machine is (29\\d|30\\d) s ${words} the database's`))
      it.clock.setAhead(0)
      await until(
        () => readiness(it.wrongServer),
        ({ status }) => status === 200,
      )
      it.clock.setAhead(ahead)
    }
    assert.match(it.wrongServer.output(), /the clock of this machine is .* the database's.*"msg":"not ready"/)
    assert.match(it.wrongServer.output(), /"msg":"ready again"/)
    assert.doesNotMatch(it.wrongServer.output(), /the clock was set back/)
    // Whoever asks it all the same is told nothing false.
    const { access_token: token } = await signIn(it.wrong, alice.password)
    assert.ok(nearNow(claimsOf(token)['iat']))
    assert.equal(await isActive(it.right, token), true)
    const text = await assertion(it.rightServer.issuer)
    assert.equal((await useAssertion(it.wrong, text)).status, 200)
    assert.equal((await useAssertion(it.right, text)).status, 401)
  })
}
