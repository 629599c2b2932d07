/** A provider that is asked for security events: what it is asked, what is reported back, and when it ends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textLimits } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { openSignalsAuthorization } from '../../src/providers/signals/authorization.ts'
import { pollSignals } from '../../src/providers/signals/poll.ts'

const provider = {
  id: 'corp',
  kind: 'oidc',
  issuer: 'https://idp.example',
  client_id: 'us',
  signals_url: 'https://idp.example/poll',
}
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (jti: string) => `${encoded({ alg: 'ES256' })}.${encoded({ jti })}.${encoded('x')}`

interface Scene {
  /** One for each question, the last again and again; a text is why none came. */
  readonly answers: readonly Json[]
  readonly most?: number
  readonly overAfter?: number
  readonly served?: boolean
  readonly authorization?: ReturnType<typeof ok<string | null>> | ReturnType<typeof err<string>>
}
async function poll({
  answers,
  most = 10,
  overAfter = Infinity,
  served = true,
  authorization = ok('Bearer x'),
}: Scene) {
  const asked: JsonObject[] = []
  const requests: Readonly<Record<string, unknown>>[] = []
  let forgotten = 0
  let looks = 0
  const outcome = await pollSignals(
    { tenant: 'acme' as never, provider: provider as never, most, isOver: () => (looks += 1) > overAfter },
    {
      authorization: { of: async () => authorization, forget: () => (forgotten += 1) },
      outbound: {
        submit: async ({
          message,
          ...request
        }: {
          message: { content: string; type: string; headers: unknown }
          [name: string]: unknown
        }) => {
          asked.push(JSON.parse(message.content) as JsonObject)
          requests.push({ ...request, type: message.type, headers: message.headers })
          const answer = answers[Math.min(asked.length, answers.length) - 1]
          return typeof answer === 'string' ? err(answer) : ok({ body: Buffer.from(JSON.stringify(answer)) })
        },
      },
      directory: {
        currentCatalogue: async () => ({ tenant: { disabledAt: null, providers: served ? [provider] : [] } }),
      },
    } as never,
  )
  return { outcome, asked, requests, forgotten }
}
const question = (more: object = {}) => ({ maxEvents: 10, returnImmediately: true, ack: [], setErrs: {}, ...more })
const refused = (problem: string, code = 'invalid_request') => ({ err: code, description: problem })

test('RFC 8936 §2.4: a provider without news is asked once, at its address, in bounds', async () => {
  const { outcome, asked, requests } = await poll({ answers: [{ sets: {} }] })
  assert.deepEqual(outcome, { taken: 0, refused: null, failure: null, more: false, retryAfter: 0 })
  assert.deepEqual(asked, [question()])
  const { url, authorization, maxBytes, deadline, cause, type } = requests[0] ?? assert.fail()
  assert.deepEqual(
    [url, authorization, maxBytes, deadline, cause, type],
    [
      provider.signals_url,
      'Bearer x',
      2 ** 20,
      5000,
      { purpose: 'shared_signals', clientId: null },
      'application/json',
    ],
  )
})

test('RFC 8936 §2.4.2: what did not serve is reported with its check, and nothing more is asked for', async () => {
  const sets = { a: 7, b: 'x'.repeat(textLimits.jwt + 1), c: 'no token', d: jwt('another') }
  const { outcome, asked, requests } = await poll({ answers: [{ sets }, {}] })
  assert.deepEqual(outcome, { taken: 0, refused: 'token_jti', failure: null, more: false, retryAfter: 0 })
  // §2.6: descriptions of errors come with the language that they are of.
  assert.deepEqual(
    requests.map(({ headers }) => headers),
    [{}, { 'content-language': 'en' }],
  )
  const malformed = refused('token_malformed')
  assert.deepEqual(asked, [
    question(),
    question({ maxEvents: 0, setErrs: { a: malformed, b: malformed, c: malformed, d: refused('token_jti') } }),
  ])
})

test('while there is more it is asked for in the same breath as what came is reported, up to twenty times', async () => {
  const { outcome, asked } = await poll({ answers: [{ sets: { a: 7 }, moreAvailable: true }] })
  assert.deepEqual(outcome, { taken: 0, refused: 'token_malformed', failure: null, more: true, retryAfter: 0 })
  assert.deepEqual(
    asked.map(({ maxEvents }) => maxEvents),
    [...Array.from({ length: 20 }, () => 10), 0],
  )
  const empty = await poll({ answers: [{ sets: {}, moreAvailable: true }] })
  assert.deepEqual([empty.outcome.more, empty.asked.length], [false, 1], 'who has more and gives nothing has nothing')
})

test('whoever is to come to an end takes no more, and still reports', async () => {
  const { outcome, asked } = await poll({ answers: [{ sets: { a: 7, b: 7 }, moreAvailable: true }], overAfter: 2 })
  assert.deepEqual(
    asked.map(({ maxEvents, setErrs }) => [maxEvents, Object.keys(setErrs as object)]),
    [
      [10, []],
      [0, ['a']],
    ],
  )
  assert.equal(outcome.more, true)
})

test('where a token cannot be judged now, nothing is said of it, and it comes again', async () => {
  const good = jwt('c')
  const { outcome, asked } = await poll({ answers: [{ sets: { a: 7, c: good, d: 7 } }, {}], served: false })
  assert.deepEqual(outcome, { taken: 0, refused: 'token_malformed', failure: 'keys', more: false, retryAfter: 0 })
  assert.deepEqual(asked.at(-1), question({ maxEvents: 0, setErrs: { a: refused('token_malformed') } }))
  const alone = await poll({ answers: [{ sets: { c: good } }], served: false })
  assert.deepEqual([alone.outcome.failure, alone.asked.length], ['keys', 1], 'with nothing to report nothing is asked')
})

test('what is no answer, and who does not answer, is a failure; a refusal makes the next token be fetched anew', async () => {
  assert.equal((await poll({ answers: [{ sets: [] }] })).outcome.failure, 'answer')
  const away = await poll({ answers: ['unreachable'] })
  assert.deepEqual(
    [away.outcome, away.forgotten],
    [{ taken: 0, refused: null, failure: 'unreachable', more: false, retryAfter: 0 }, 0],
  )
  const denied = await poll({ answers: ['status'] })
  assert.deepEqual([denied.outcome.failure, denied.forgotten], ['status', 1])
  const closed = await poll({ answers: [{}], authorization: err('secret_unopened') })
  assert.deepEqual([closed.outcome.failure, closed.asked], ['secret_unopened', []])
  const later = await poll({ answers: [{ sets: { a: 7 } }, 'unreachable'] })
  assert.deepEqual(later.outcome, {
    taken: 0,
    refused: 'token_malformed',
    failure: 'unreachable',
    more: false,
    retryAfter: 0,
  })
})

test('more than were asked for is cut, and asked for again', async () => {
  const { asked, outcome } = await poll({ answers: [{ sets: { a: 7, b: 7, c: 7 } }, { sets: {} }], most: 2 })
  assert.deepEqual(
    asked.map(({ maxEvents, setErrs }) => [maxEvents, Object.keys(setErrs as object)]),
    [
      [2, []],
      [2, ['a', 'b']],
    ],
  )
  assert.equal(outcome.more, false)
})

test('what is kept for a provider is shown there; where nothing is and no scope is named, nothing', async () => {
  const vault = { open: (sealed: Uint8Array) => (sealed.length > 3 ? sealed : null) }
  const authorization = openSignalsAuthorization({ vault, clock: { now: () => 0 } } as never)
  const of = (more: object) => authorization.of({ tenant: 'acme', provider: { ...provider, ...more } } as never)
  assert.deepEqual(
    await of({ sealed_signals_authorization: Buffer.from('Basic abc').toString('base64url') }),
    ok('Basic abc'),
  )
  assert.deepEqual(
    await of({ sealed_signals_authorization: Buffer.from('x').toString('base64url') }),
    err('secret_unopened'),
  )
  assert.deepEqual(await of({}), ok(null))
})
