/** A SQLite server whose clock is set back, and ahead and back again: nobody is locked out, and nothing dead comes back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../interop/plain-browser.ts'
import { runCommand, type Server, startServer, temporaryFolder } from '../../interop/server.ts'
import { isActive, redeem, refresh, type Tokens } from '../attacks/browser.ts'
import { type HttpClient, httpClientOf } from '../attacks/http-client.ts'
import { alice, unlimited, web } from '../attacks/objects.ts'
import { until } from '../faults/until.ts'
import {
  assertion,
  changePassword,
  isRight,
  seed,
  signIn,
  startValidator,
  type TestValidator,
  useAssertion,
  userinfoStatus,
} from './deployment.ts'
import { ensureFaketime, wallClock } from './faketime.ts'

const skip = ensureFaketime() ?? false
const hour = 3600
const isAccepted = (verdict: string): boolean => verdict === 'accepted'

/** A server that can be started again with another clock, at the same address and on the same data. */
async function restartable() {
  await using stack = new AsyncDisposableStack()
  const [data, elsewhere] = [stack.use(temporaryFolder()), stack.use(temporaryFolder())]
  const clock = wallClock(elsewhere)
  const port = await freePort()
  const env = { ...unlimited, ...clock.env, GRANTOR_PORT: String(port) }
  const options = { data: data.path, env }
  // Once: what is declared again declares its passwords again.
  let declared: { readonly seed?: string } = { seed: elsewhere.write('seed.json', seed) }
  let running: { readonly server: Server; readonly http: HttpClient } | null = null
  const stop = async (): Promise<void> => {
    running?.http[Symbol.dispose]()
    if (running !== null) assert.equal(await running.server.stop(), 0)
    running = null
  }
  stack.defer(stop)
  const owned = stack.move()
  return {
    clock,
    options,
    issuer: `https://localhost:${port}`,
    async startAt(ahead: number) {
      await stop()
      clock.setAhead(ahead)
      const server = await startServer({ ...options, ...declared })
      declared = {}
      running = { server, http: httpClientOf(server) }
      return running
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** As good as any: introspection, userinfo, a refresh and a validator that goes by the same clock say so. */
async function assertGood(http: HttpClient, tokens: Tokens, validator: TestValidator): Promise<void> {
  assert.equal(await isActive(http, tokens.access_token), true)
  await until(() => validator.verdict(tokens.access_token), isAccepted)
  const refreshed = await refresh(http, tokens.refresh_token)
  assert.equal(refreshed.status, 200, refreshed.body)
  const { access_token: token } = JSON.parse(refreshed.body) as Tokens
  assert.equal(await isActive(http, token), true)
  await until(() => validator.verdict(token), isAccepted)
  assert.equal(await userinfoStatus(http, token), 200)
}

async function assertDead(http: HttpClient, token: string, validator: TestValidator): Promise<void> {
  assert.equal(await isActive(http, token), false)
  await until(
    () => validator.verdict(token),
    (verdict) => verdict !== 'accepted' && verdict !== 'revocation_state_stale',
  )
}

const passwords = [alice.password, 'a-second-password-of-alice', 'a-third-password-of-alice'] as const

for (const [what, before, then] of [
  ['set back an hour', 0, -hour],
  ['an hour ahead and put right', hour, 0],
] as const) {
  test(
    `a clock that is ${what} while the server is stopped locks nobody out and revives nothing`,
    { skip },
    async () => {
      await using it = await restartable()
      const first = await it.startAt(before)
      await using validator = startValidator(first.server)
      validator.setAhead(before)
      const [early, revoked] = [await signIn(first.http, passwords[0]), await signIn(first.http, passwords[0])]
      await assertGood(first.http, early, validator)
      await first.http.send('/revoke', { basic: web, form: { token: revoked.access_token } })
      await changePassword(first.http, passwords[0], passwords[1])
      const late = await signIn(first.http, passwords[1])

      const second = await it.startAt(then)
      validator.setAhead(then)
      assert.match(second.server.output(), /"seconds":3[3-6]\d\d,"msg":"the clock was set back/)
      assert.equal(await isRight(second.http, passwords[1]), true)
      assert.equal(await isRight(second.http, passwords[0]), false)
      const fresh = await signIn(second.http, passwords[1])
      await assertGood(second.http, fresh, validator)
      for (const tokens of [early, revoked, late]) {
        await assertDead(second.http, tokens.access_token, validator)
        assert.equal((await redeem(second.http, tokens.code)).status, 400, 'a code that was spent stays spent')
      }
      // A grant is not ordered by time: whoever signed in goes on.
      assert.equal(
        (await refresh(second.http, late.refresh_token)).status,
        400,
        'the replay of its code ended this one',
      )
      await changePassword(second.http, passwords[1], passwords[2])
      await assertDead(second.http, fresh.access_token, validator)
      await assertGood(second.http, await signIn(second.http, passwords[2]), validator)

      const third = await it.startAt(before)
      validator.setAhead(before)
      assert.equal(await isRight(third.http, passwords[2]), true)
      await assertGood(third.http, await signIn(third.http, passwords[2]), validator)
      for (const tokens of [early, revoked, late, fresh]) await assertDead(third.http, tokens.access_token, validator)
      const verified = await runCommand(['audit', 'verify'], it.options)
      assert.equal(verified.code, 0, verified.stderr + verified.stdout)
    },
  )
}

test('who signed in before the clock was set back goes on by refresh', { skip }, async () => {
  await using it = await restartable()
  const first = await it.startAt(hour)
  const tokens = await signIn(first.http, alice.password)
  const second = await it.startAt(0)
  const answer = await refresh(second.http, tokens.refresh_token)
  assert.equal(answer.status, 200, answer.body)
  assert.equal(await isActive(second.http, (JSON.parse(answer.body) as Tokens).access_token), true)
  // Spent an hour "ago", or rather ahead: not a moment ago, whatever the difference says.
  assert.equal((await refresh(second.http, tokens.refresh_token)).status, 200, 'the retry of just now')
})

test('RFC 7523 §3: an assertion that was used stays used over a clock that was an hour ahead', { skip }, async () => {
  await using it = await restartable()
  const text = await assertion(it.issuer)
  const { http } = await it.startAt(0)
  assert.equal((await useAssertion(http, text)).status, 200)
  const ahead = await it.startAt(hour)
  assert.equal((await useAssertion(ahead.http, text)).status, 401)
  const back = await it.startAt(0)
  assert.equal((await useAssertion(back.http, text)).status, 401)
  assert.equal((await useAssertion(back.http, await assertion(it.issuer))).status, 200)
})

test(
  'a clock that is an hour ahead and put right while the server runs: the same, and the log says so',
  { skip },
  async () => {
    await using it = await restartable()
    const { server, http } = await it.startAt(0)
    await using validator = startValidator(server)
    for (const [round, [from, to]] of [
      [passwords[0], passwords[1]],
      [passwords[1], passwords[2]],
    ].entries()) {
      it.clock.setAhead(hour)
      validator.setAhead(hour)
      const ahead = await signIn(http, from ?? '')
      await assertGood(http, ahead, validator)
      await changePassword(http, from ?? '', to ?? '')
      const late = await signIn(http, to ?? '')
      it.clock.setAhead(0)
      validator.setAhead(0)
      const isTold = (output: string) => output.split('the clock was set back').length === round + 2
      await until(async () => server.output(), isTold)
      assert.equal(await isRight(http, to ?? ''), true)
      await assertGood(http, await signIn(http, to ?? ''), validator)
      for (const { access_token: token } of [ahead, late]) await assertDead(http, token, validator)
    }
  },
)

for (const ahead of [30, -30]) {
  test(`a clock that moves by ${ahead} s and back while the server runs ends no token`, { skip }, async () => {
    await using it = await restartable()
    const { server, http } = await it.startAt(0)
    await using validator = startValidator(server)
    const before = await signIn(http, alice.password)
    it.clock.setAhead(ahead)
    const meanwhile = await signIn(http, alice.password)
    it.clock.setAhead(0)
    const after = await signIn(http, alice.password)
    for (const tokens of [before, meanwhile, after]) await assertGood(http, tokens, validator)
    await changePassword(http, alice.password, passwords[1])
    for (const { access_token: token } of [before, meanwhile, after]) await assertDead(http, token, validator)
    await assertGood(http, await signIn(http, passwords[1]), validator)
    assert.doesNotMatch(server.output(), /the clock was set back/)
  })
}
