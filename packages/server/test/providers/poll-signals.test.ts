/** RFC 8936, as receiver: a provider is asked for security events. What it says wrong, twice or not at all; on both databases. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { ServerResponse } from 'node:http'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { databases, eventually } from '../feed/feed-deployment.ts'
import { type HandBrowser, pageOf, tokenIn } from '../interact/deployment.ts'
import { deployWithProviders, main, type ProviderDeployment } from './deployment.ts'
import type { FakeIssuer } from './upstream.ts'

const caep = 'https://schemas.openid.net/secevent/caep/event-type/'
const header = 'Bearer what-only-we-know'

/** A transmitter that keeps what was not acknowledged, as RFC 8936 §2 has it. */
class Transmitter {
  readonly waiting = new Map<string, Json>()
  readonly errors: JsonObject = {}

  readonly poll = (asked: JsonObject): JsonObject => {
    const { ack, setErrs, maxEvents } = asked as { ack: string[]; setErrs: JsonObject; maxEvents: number }
    for (const id of [...ack, ...Object.keys(setErrs)]) this.waiting.delete(id)
    Object.assign(this.errors, setErrs)
    const sets = [...this.waiting].slice(0, maxEvents)
    return { sets: Object.fromEntries(sets), moreAvailable: this.waiting.size > sets.length }
  }
}

for (const database of databases) {
  describe(`polled signals on ${database}`, () => {
    let it: ProviderDeployment
    let one: FakeIssuer
    let two: FakeIssuer
    let count = 0
    before(async () => {
      it = await deployWithProviders(database)
      ;({ one, two } = it.providers)
    })
    after(() => it[Symbol.asyncDispose]())
    beforeEach(() => {
      one.telling = { poll: () => ({ sets: {}, moreAvailable: false }) }
      one.polls.length = 0
    })

    const signIn = async (sub: string): Promise<HandBrowser> => {
      const browser = it.browser()
      const csrf = tokenIn((await browser.ask('/account')).body)
      const left = await browser.ask('/account/enter/provider', { form: { csrf, provider: 'one' } })
      const back = await browser.ask(one.approve(left.headers.location ?? '', sub))
      await browser.ask(back.headers.location ?? '')
      assert.ok(await isSignedIn(browser))
      return browser
    }
    const isSignedIn = async (browser: HandBrowser) => pageOf(await browser.ask('/account')) === 'account'
    const signal = (from: FakeIssuer, jti: string, claims: JsonObject): string => {
      const iat = Math.floor(Date.now() / 1000)
      const events = { [`${caep}session-revoked`]: { event_timestamp: iat } }
      return from.jwt({ iss: from.issuer, aud: 'us', iat, jti, events, ...claims }, { typ: 'secevent+jwt' })
    }
    const about = (sub: string): JsonObject => ({ sub_id: { format: 'iss_sub', iss: one.issuer, sub } })
    /** Declared anew, so that it is asked at once. */
    const asked = (more: JsonObject = {}) =>
      it.declare([
        it.provider('one', {
          create: true,
          name: `Another name ${count++}`,
          signals_url: `${one.issuer}/poll`,
          signals_authorization: header,
          ...more,
        }),
      ])
    const state = async () => {
      const found = await it.authority.admin.providers.list(main)
      assert.ok(found.kind === 'ok')
      return found.value[0]?.value.polled
    }
    const settled = async (error: string | null): Promise<void> => {
      const from = Date.now()
      await asked()
      await eventually(
        async () => {
          const now = await state()
          return now?.error === error && (now.askedAt ?? 0) >= from
        },
        `the state ${error}`,
        20_000,
      )
    }
    /** What a turn that is still under way finds would be told of none: the one that this asks for has ended. */
    const answered = async (): Promise<void> => {
      const from = Date.now()
      await asked()
      await eventually(async () => ((await state())?.askedAt ?? 0) >= from, 'a turn of its own', 20_000)
    }
    const endings = async (): Promise<number> => {
      const found = await it.authority.admin.events.last(main, 200)
      assert.ok(found.kind === 'ok')
      return found.value.filter(({ name, reason }) => name === 'session.ended' && reason === 'provider').length
    }

    test('RFC 8936 §2.4: what it has is fetched with the header, does what a push does, and is acknowledged after that', async () => {
      await settled(null)
      const sub = `sub-${count++}`
      const [first, second] = [await signIn(sub), await signIn(sub)]
      const there = new Transmitter()
      const before = await endings()
      there.waiting.set('good', signal(one, 'good', about(sub)))
      let openAtAck: boolean | null = null
      one.telling.poll = async (body) => {
        if ((body['ack'] as string[]).length > 0) openAtAck = await isSignedIn(first)
        return there.poll(body)
      }
      await settled(null)
      assert.deepEqual([there.waiting.size, there.errors], [0, {}])
      assert.deepEqual([await isSignedIn(first), await isSignedIn(second), openAtAck], [false, false, false])
      assert.equal((await endings()) - before, 2)
      const at = one.polls.findIndex(({ asked }) => (asked['ack'] as string[]).length > 0)
      assert.deepEqual(one.polls[at - 1], {
        asked: { maxEvents: 50, returnImmediately: true, ack: [], setErrs: {} },
        authorization: header,
      })
      assert.deepEqual(one.polls[at]?.asked, { maxEvents: 0, returnImmediately: true, ack: ['good'], setErrs: {} })
      const { receivedAt, failingSince } = (await state()) ?? {}
      assert.ok(receivedAt !== null && failingSince === null)
    })

    test('RFC 8935 §2.4: what does not serve is said to be so by its code, and what serves beside it is taken', async () => {
      await answered()
      const sub = `sub-${count++}`
      const browser = await signIn(sub)
      const there = new Transmitter()
      const bad: Record<string, readonly [string, Json]> = {
        'not-a-token': ['invalid_request', 'x'],
        number: ['invalid_request', 7],
        issuer: ['invalid_issuer', signal(two, 'issuer', about(sub))],
        'key-of-another': ['invalid_key', signal(two, 'key-of-another', { iss: one.issuer, ...about(sub) })],
        audience: ['invalid_audience', signal(one, 'audience', { aud: 'somebody-else', ...about(sub) })],
        old: ['invalid_request', signal(one, 'old', { iat: 1_600_000_000, ...about(sub) })],
        'another-name': ['invalid_request', signal(one, 'its-own-name', about(sub))],
        long: ['invalid_request', signal(one, 'long', { padding: 'x'.repeat(40_000), ...about(sub) })],
        nothing: ['invalid_request', null],
      }
      for (const [id, [, token]] of Object.entries(bad)) there.waiting.set(id, token)
      one.telling.poll = there.poll
      await settled('token_malformed')
      assert.ok(await isSignedIn(browser))
      assert.equal(there.waiting.size, 0)
      const codes = Object.entries(there.errors).map(([id, it]) => [id, (it as JsonObject)['err']])
      assert.deepEqual(
        Object.fromEntries(codes),
        Object.fromEntries(Object.entries(bad).map(([id, [code]]) => [id, code])),
      )
      there.waiting.set('bad', 'x')
      there.waiting.set('good-beside', signal(one, 'good-beside', about(sub)))
      await settled('token_malformed')
      assert.equal(await isSignedIn(browser), false)
      await settled('token_malformed')
      there.waiting.set('ignored', signal(one, 'ignored', { sub_id: { format: 'email', email: 'a@example.com' } }))
      await settled(null)
    })

    test('what comes again, because the acknowledgement did not arrive, does nothing more; by push neither', async () => {
      await answered()
      const sub = `sub-${count++}`
      const first = await signIn(sub)
      const there = new Transmitter()
      const token = signal(one, 'again', about(sub))
      there.waiting.set('again', token)
      one.telling.poll = (body, response) => {
        if ((body['ack'] as string[]).length === 0) return there.poll(body)
        response.writeHead(500).end()
        return null
      }
      const before = await endings()
      await settled('status')
      assert.deepEqual([await isSignedIn(first), there.waiting.size], [false, 1])
      // Signed in again within the same seconds: the clocks alone would not tell this session from the one that ended.
      const second = await signIn(sub)
      one.telling.poll = there.poll
      await settled(null)
      assert.equal(there.waiting.size, 0)
      const pushed = await Promise.all(
        Array.from({ length: 5 }, () => it.authority.receiveSignal({ tenant: main, provider: 'one', token })),
      )
      assert.ok(pushed.every((outcome) => outcome.did === 'taken' && outcome.sessions === 0))
      assert.ok(await isSignedIn(second))
      assert.equal((await endings()) - before, 1)
    })

    test('of many that bring one token at once, by push and by poll, one ends what it ends', async () => {
      await answered()
      const sub = `sub-${count++}`
      const browsers = [await signIn(sub), await signIn(sub), await signIn(sub)]
      const there = new Transmitter()
      const token = signal(one, 'race', about(sub))
      there.waiting.set('race', token)
      const before = await endings()
      one.telling.poll = there.poll
      const push = () => it.authority.receiveSignal({ tenant: main, provider: 'one', token })
      const [, ...outcomes] = await Promise.all([settled(null), push(), push(), push(), push()])
      assert.ok(outcomes.every(({ did }) => did === 'taken'))
      for (const browser of browsers) assert.equal(await isSignedIn(browser), false)
      assert.equal((await endings()) - before, 3)
    })

    test('what is no answer is no answer; it is seen, asked less often, and nothing else suffers', async () => {
      const answers: readonly (readonly [string, (response: ServerResponse) => unknown])[] = [
        ['status', (response) => response.writeHead(500).end()],
        ['status', (response) => response.writeHead(302, { location: `${one.issuer}/elsewhere` }).end()],
        ['type', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('{}')],
        ['answer', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"sets":[]}')],
        ['answer', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"sets":{}')],
        [
          'answer',
          (response) =>
            response.writeHead(200, { 'content-type': 'application/json' }).end('{"sets":{"__proto__":"x"}}'),
        ],
        [
          'size',
          (response) =>
            response
              .writeHead(200, { 'content-type': 'application/json' })
              .end(`{"sets":{},"x":"${'x'.repeat(2 ** 20)}"}`),
        ],
        ['unreachable', (response) => response.destroy()],
        // Five seconds, and no matter of the database.
        ...(database === 'sqlite' ? [['time', () => undefined] as const] : []),
      ]
      for (const [error, answer] of answers) {
        one.telling.poll = (_body, response) => {
          answer(response)
          return null
        }
        await settled(error)
        const { failures, failingSince } = (await state()) ?? {}
        assert.ok(failures === 1 && failingSince !== null, error)
      }
      assert.ok(!one.asked.includes('/elsewhere'))
      const there = new Transmitter()
      one.telling.poll = there.poll
      await settled(null)
      assert.equal((await state())?.failingSince, null)
    })

    test('who is too long is asked for one at a time; who always has more is left after a while', async () => {
      const there = new Transmitter()
      const sub = `sub-${count++}`
      for (let n = 0; n < 70; n++)
        there.waiting.set(`n${n}`, signal(one, `n${n}`, { ...about(sub), padding: 'x'.repeat(8_000) }))
      one.telling.poll = (body) => {
        const answer = there.poll(body)
        return (body['maxEvents'] as number) > 1 ? { ...answer, padding: 'x'.repeat(2 ** 20) } : answer
      }
      await settled('size')
      await it.declare([])
      one.telling.poll = there.poll
      await settled(null)
      await eventually(async () => there.waiting.size === 0, 'everything is fetched', 20_000)
      let again = 0
      one.telling.poll = () => ({
        sets: Object.fromEntries([`e${again++}`].map((id) => [id, signal(one, id, about(sub))])),
        moreAvailable: true,
      })
      one.polls.length = 0
      await settled(null)
      const mostOfATurn = one.polls.findIndex(({ asked: { maxEvents } }) => maxEvents === 0)
      assert.equal(mostOfATurn, 20)
      one.telling.poll = () => ({ sets: {}, moreAvailable: true })
      await settled(null)
    })

    test('without keys nothing is said of a token, and it comes again', async () => {
      const { three } = it.providers
      three.telling.broken = { '/jwks': (response) => response.writeHead(500).end() }
      const there = new Transmitter()
      there.waiting.set('later', signal(three, 'later', about('x')))
      three.telling.poll = there.poll
      await it.declare([
        it.provider('three', { issuer: three.issuer, signals_url: `${three.issuer}/poll`, name: 'Three' }),
      ])
      await eventually(async () => (await state())?.error === 'keys', 'the keys are missed', 20_000)
      assert.deepEqual([there.waiting.size, there.errors], [1, {}])
      assert.equal(three.polls[0]?.authorization, undefined)
    })

    test('the header is kept sealed, shown to nobody, and not sent to another address', async () => {
      await asked()
      const list = async () => {
        const found = await it.authority.admin.providers.list(main)
        assert.ok(found.kind === 'ok')
        return found.value[0]?.value
      }
      assert.ok((await list())?.has_signals_authorization === true)
      assert.ok(!JSON.stringify(await list()).includes('what-only-we-know'))
      const put = (more: JsonObject) =>
        it.declare([
          it.provider('one', { name: `Another name ${count++}`, signals_url: `${one.issuer}/poll`, ...more }),
        ])
      await put({})
      assert.equal((await list())?.has_signals_authorization, true, 'it stays')
      await put({ signals_url: `${two.issuer}/poll` })
      assert.equal((await list())?.has_signals_authorization, false)
      for (const wrong of [
        { signals_url: 'https://10.0.0.1/poll' },
        { signals_url: 'http://localhost/poll' },
        { signals_authorization: 'two\r\nheaders: x' },
        { signals_url: null, signals_authorization: header },
        { kind: 'github', issuer: 'https://github.com', signals_url: `${one.issuer}/poll` },
      ]) {
        const declared = await it.authority.admin.declared.apply(
          { kind: 'operator', id: 'test' },
          { providers: [it.provider('one', { signals_url: `${one.issuer}/poll`, ...wrong })] },
        )
        assert.equal(declared.kind, 'error', JSON.stringify(wrong))
      }
    })

    test('who is disabled, or no longer says where, is not asked', async () => {
      one.telling.poll = () => ({ sets: {} })
      await settled(null)
      for (const more of [{ disabled: true }, { signals_url: null, signals_authorization: null }]) {
        await asked(more)
        assert.equal(await state(), undefined)
      }
    })
  })
}

if (databases.includes('postgres'))
  test('of two nodes one asks at a time, and a token that both are given does what it does once', async () => {
    await using stack = new AsyncDisposableStack()
    const it = stack.use(await deployWithProviders('postgres'))
    stack.use(await it.node())
    const { one } = it.providers
    const there = new Transmitter()
    let [underWay, most] = [0, 0]
    one.telling.poll = (body, response) => {
      most = Math.max(most, ++underWay)
      response.once('close', () => underWay--)
      return there.poll(body)
    }
    for (let n = 0; n < 2; n++) {
      const sub = `s${n}`
      there.waiting.set(
        sub,
        one.jwt(
          {
            iss: one.issuer,
            aud: 'us',
            iat: Math.floor(Date.now() / 1000),
            jti: sub,
            events: { [`${caep}session-revoked`]: {} },
            sub_id: { format: 'iss_sub', iss: one.issuer, sub },
          },
          { typ: 'secevent+jwt' },
        ),
      )
      await it.declare([it.provider('one', { name: `Name ${n}`, signals_url: `${one.issuer}/poll` })])
      await eventually(async () => there.waiting.size === 0, 'it is fetched', 20_000)
    }
    assert.deepEqual([most, there.errors], [1, {}])
  })
