/** When providers are asked for security events again, what is kept of how it went, and how many are asked at once. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { defaultPolicy } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, Json, JsonObject, TenantId } from '@grantor/protocol/types'
import type { SignalPoll } from '@grantor/store'
import type { QuestionRequest } from '../../src/ports/outbound.ts'
import { openSignalPolling } from '../../src/background/signal-polling.ts'
import { OtherIssuers, signedToken, signingKey } from '../support/trusted-issuer.ts'

const now = 1_800_000_000_000
const issuer = 'https://idp.example'
const key = signingKey('k')
const provider = { id: 'corp', kind: 'oidc', issuer, client_id: 'us', signals_url: `${issuer}/poll` }
const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }

/** One that is good, and means nothing here. */
const good = (jti: string): string =>
  signedToken(
    { iss: issuer, aud: 'us', iat: now / 1000, jti, events: { 'https://idp.example/event': {} } },
    { by: key, header: { typ: 'secevent+jwt' } },
  )

const fresh: SignalPoll = {
  tenant: 'acme' as TenantId,
  provider: 'corp',
  turn: 1,
  askedAt: null,
  receivedAt: null,
  failures: 0,
  failingSince: null,
  error: null,
}

interface Scene {
  /** One for each question, the last again and again; a text is why none came. */
  readonly answers?: readonly Json[]
  readonly rows?: readonly Partial<SignalPoll>[]
  readonly providers?: readonly object[]
  /** How long each answer takes, in milliseconds. */
  readonly takes?: number
  readonly due?: boolean
  /** Seconds that it asks to be left alone. */
  readonly retryAfter?: number
  /** Before an answer comes. */
  readonly wait?: () => Promise<void>
}

function scene(t: TestContext, { answers = [{ sets: {} }], rows = [{}], takes = 0, ...more }: Scene = {}) {
  // In the middle: a pause is then as long as it is meant to be.
  t.mock.method(Math, 'random', () => 0.5)
  const others = new OtherIssuers()
  others.publish(issuer, [key], endpoints)
  const waiting = rows.map((row) => ({ ...fresh, ...row }))
  const settled: { readonly row: SignalPoll; readonly after: number }[] = []
  const taken: { readonly now: number; readonly lease: number; readonly busy: readonly string[] }[] = []
  const asked: JsonObject[] = []
  let clock = now
  const polling = openSignalPolling({
    clock: { now: () => clock as Instant, margin: 0, until: () => Promise.resolve() },
    policy: defaultPolicy,
    ids: { handleOf: (text: string) => text },
    directory: {
      currentCatalogue: async () => ({ tenant: { disabledAt: null, providers: more.providers ?? [provider] } }),
    },
    outbound: {
      fetch: (it: never) => others.fetch(it),
      submit: async ({ message, onRetryAfter }: Pick<QuestionRequest, 'message' | 'onRetryAfter'>) => {
        if (more.retryAfter !== undefined) onRetryAfter?.(more.retryAfter)
        asked.push(JSON.parse(message.content) as JsonObject)
        const answer = answers[Math.min(asked.length, answers.length) - 1]
        await more.wait?.()
        clock += takes
        return typeof answer === 'string' ? err(answer) : ok({ body: Buffer.from(JSON.stringify(answer)) })
      },
    },
    store: {
      directory: { watch: () => () => {} },
      signalPolls: {
        due: async () => more.due !== false,
        take: async (request: (typeof taken)[number]) => {
          taken.push(request)
          const at = waiting.findIndex(({ tenant }) => !request.busy.includes(tenant))
          return at < 0 ? null : (waiting.splice(at, 1)[0] ?? null)
        },
        settle: async (row: SignalPoll, at: number) => {
          settled.push({ row, after: at - clock })
          return 'settled'
        },
      },
    },
  } as never)
  return { polling, settled, taken, asked, waiting, clock: () => clock }
}

async function turnOf(t: TestContext, of: Scene) {
  const it = scene(t, of)
  await it.polling.deliverDue()
  const [only = assert.fail('nothing was settled')] = it.settled
  return { ...it, row: only.row, after: only.after }
}

test('a provider without news is asked again in ten seconds, one that has more in one', async (t) => {
  const quiet = await turnOf(t, { rows: [{ receivedAt: 5 as Instant }] })
  assert.equal(quiet.after, 10_000)
  const { askedAt, receivedAt, failures, failingSince, error } = quiet.row
  assert.deepEqual([askedAt, receivedAt, failures, failingSince, error], [now, 5, 0, null, null])
  const more = await turnOf(t, { answers: [{ sets: { a: 7 }, moreAvailable: true }] })
  assert.deepEqual([more.after, more.row.error], [1_000, 'token_malformed'])
})

test('a single token that was good is news, and what was refused before it is forgotten', async (t) => {
  const answers = [{ sets: { a: good('a') } }, { sets: {} }]
  const { row, clock } = await turnOf(t, { answers, rows: [{ error: 'token_jti' }], takes: 100 })
  assert.deepEqual([row.receivedAt, row.error, row.askedAt], [clock(), null, now])
  assert.ok(clock() > now)
})

test('what did not serve is seen until something does; what was away only while it is', async (t) => {
  const refused = await turnOf(t, { rows: [{ error: 'token_jti' }] })
  assert.equal(refused.row.error, 'token_jti')
  const away = await turnOf(t, { rows: [{ error: 'unreachable', failures: 3, failingSince: 9 as Instant }] })
  assert.deepEqual([away.row.error, away.row.failures, away.row.failingSince], [null, 0, null])
})

test('who fails is asked ever more rarely, up to ten minutes, and it is known since when', async (t) => {
  for (const [failures, pause] of [
    [0, 20_000],
    [1, 40_000],
    [4, 320_000],
    [5, 600_000],
    [5000, 600_000],
  ] as const) {
    const { row, after } = await turnOf(t, { answers: ['unreachable'], rows: [{ failures }] })
    assert.deepEqual([after, row.failures, row.error, row.failingSince], [pause, failures + 1, 'unreachable', now])
  }
  const still = await turnOf(t, { answers: ['unreachable'], rows: [{ failures: 1, failingSince: 7 as Instant }] })
  assert.equal(still.row.failingSince, 7)
})

test('RFC 9110 §10.2.3: who asks to be left alone for a while is left alone, an hour at most', async (t) => {
  for (const [retryAfter, pause] of [
    [1, 20_000],
    [120, 120_000],
    [100_000, 3_600_000],
  ] as const) {
    const { row, after } = await turnOf(t, { answers: ['status'], retryAfter })
    assert.deepEqual([after, row.failures, row.error], [pause, 1, 'status'])
  }
})

test('of a provider that is no longer asked, or of no tenant that is served, nothing is asked', async (t) => {
  for (const providers of [[], [{ ...provider, id: 'other' }], [{ ...provider, signals_url: undefined }]]) {
    const it = await turnOf(t, { providers, rows: [{ error: 'x' }] })
    assert.deepEqual([it.asked, it.after, it.row.error, it.row.askedAt], [[], 600_000, 'x', null])
  }
})

test('fifty tokens are asked for at a time; one, where an answer was too long', async (t) => {
  const most = async (error: string | null) => (await turnOf(t, { rows: [{ error }] })).asked[0]?.['maxEvents']
  assert.deepEqual([await most(null), await most('size'), await most('time')], [50, 1, 50])
})

test('a turn asks for no more once half a minute is over, or when the node stops; a row is its own for a minute', async (t) => {
  const answers = [{ sets: { a: 7 }, moreAvailable: true }]
  const rounds = async (takes: number) => (await turnOf(t, { answers, takes })).asked.length
  assert.deepEqual([await rounds(30_001), await rounds(15_000), await rounds(0)], [1, 3, 21])
  const { promise, resolve } = Promise.withResolvers<void>()
  const stopped = scene(t, { answers, wait: () => promise })
  stopped.polling.wake()
  while (stopped.asked.length === 0) await new Promise((over) => setImmediate(over))
  const closing = stopped.polling.close()
  resolve()
  await closing
  assert.deepEqual([stopped.asked.length, stopped.settled.length], [1, 1], 'what came is left there, and comes again')
  assert.deepEqual([stopped.taken[0]?.lease, stopped.taken[0]?.now], [60_000, now])
})

test('eight are asked at once, and two of one tenant; nothing is taken where nothing is due', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const rows = Array.from({ length: 10 }, (_, n) => ({ tenant: `t${n % 5}` as TenantId }))
  const of = async (scened: ReturnType<typeof scene>, count: number) => {
    scened.polling.wake()
    while (scened.asked.length < count) await new Promise((over) => setImmediate(over))
    for (let n = 0; n < 20; n += 1) await new Promise((over) => setImmediate(over))
    return scened.asked.length
  }
  const many = scene(t, { rows, wait: () => promise })
  assert.equal(await of(many, 8), 8)
  const same = scene(t, { rows: [{}, {}, {}], wait: () => promise })
  assert.equal(await of(same, 2), 2)
  assert.deepEqual(
    same.taken.map(({ busy }) => busy),
    [[], [], ['acme']],
  )
  resolve()
  await Promise.all([many.polling.close(), same.polling.close()])
  const idle = scene(t, { due: false })
  await idle.polling.deliverDue()
  assert.deepEqual(idle.taken, [])
})
