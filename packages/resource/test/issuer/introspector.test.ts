/** What is remembered of what an issuer said about a token: the later question counts, and what is outdated is asked again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Introspector } from '../../src/issuer/introspector.ts'
import { IssuerDiscovery } from '../../src/issuer/issuer-metadata.ts'
import { createOutbound, fetchTransport } from '../../src/issuer/outbound.ts'
import { noMetrics } from '../../src/metrics.ts'
import { FakeTime } from '../fake-time.ts'

const issuer = 'https://as.example'

function scene() {
  const time = new FakeTime()
  const counted: string[] = []
  const waiting: ((active: boolean) => void)[] = []
  const sent: RequestInit[] = []
  const fetch = (async (url: string, init: RequestInit) => {
    if (!url.endsWith('/introspect'))
      return Response.json({ issuer, jwks_uri: `${issuer}/jwks`, introspection_endpoint: `${issuer}/introspect` })
    sent.push(init)
    return new Promise<Response>((resolve) => {
      waiting.push((active) => resolve(Response.json({ active, sub: 'alice' })))
    })
  }) as typeof globalThis.fetch
  const outbound = createOutbound(fetchTransport(fetch), time)
  const introspector = new Introspector({
    discovery: new IssuerDiscovery(outbound, issuer),
    credentials: { clientId: 'api', clientSecret: 'secret' },
    outbound,
    time,
    metrics: { ...noMetrics, count: (_, labels) => void counted.push(labels?.['result'] ?? '') },
    activeFor: 30_000,
  })
  const asked = () => waiting.length
  const begin = async (within?: number) => {
    const before = asked()
    const answer = introspector.recallOrAsk('t', within)
    while (asked() === before) await time.advance(0)
    return { answer, say: waiting[before] as (active: boolean) => void }
  }
  const settle = async (active: boolean, within?: number) => {
    const { answer, say } = await begin(within)
    say(active)
    return answer
  }
  const known = () => {
    const it = introspector.recall('t')
    return it === undefined ? 'unknown' : it.claims === null ? 'inactive' : 'active'
  }
  return { time, introspector, sent, counted, asked, begin, settle, known }
}

test('what was active and is not any more is not taken for active by any memory, nor the other way round', async () => {
  const { time, settle, known, introspector, counted } = scene()
  await settle(true)
  assert.deepEqual([known(), introspector.wasActive('t')], ['active', true])
  await time.advance(6000)
  await settle(false, 5000)
  assert.deepEqual([known(), introspector.wasActive('t')], ['inactive', false])
  await time.advance(5000)
  assert.equal(known(), 'unknown')
  await settle(true)
  assert.deepEqual([known(), introspector.wasActive('t')], ['active', true])
  assert.deepEqual(counted, ['active', 'inactive', 'active'])
})

test('of two questions the later one counts, whichever answer comes first', async () => {
  const { begin, known, introspector, time } = scene()
  const first = await begin()
  // What is under way was asked too early.
  introspector.outdate('t')
  await time.advance(10)
  const second = await begin()
  second.say(false)
  await second.answer
  first.say(true)
  await first.answer
  assert.equal(known(), 'inactive')
  await time.advance(5000)
  const third = await begin()
  introspector.outdate('t')
  await time.advance(10)
  const fourth = await begin()
  fourth.say(true)
  await fourth.answer
  third.say(false)
  await third.answer
  assert.equal(known(), 'active')
})

test('of two questions of one moment the one that is answered later counts', async () => {
  const { begin, known, introspector } = scene()
  const first = await begin()
  introspector.outdate('t')
  const second = await begin()
  first.say(true)
  await first.answer
  second.say(false)
  await second.answer
  assert.deepEqual([known(), introspector.wasActive('t')], ['inactive', false])
})

test('what is outdated is asked again, and is still known to have been active', async () => {
  const { settle, introspector, known } = scene()
  await settle(true)
  introspector.outdate('t')
  assert.deepEqual([known(), introspector.wasActive('t')], ['unknown', true])
  introspector.outdate('never asked about')
  assert.equal(introspector.wasActive('never asked about'), false)
  await settle(true)
  assert.equal(known(), 'active')
})

test('while a question is under way nobody else asks it; after its answer the next one may', async () => {
  const { begin, introspector, asked, time } = scene()
  const { answer, say } = await begin()
  const another = introspector.recallOrAsk('t')
  await time.advance(0)
  assert.equal(asked(), 1)
  say(false)
  assert.equal(await another, await answer)
  await time.advance(5000)
  const { say: sayAgain, answer: again } = await begin()
  sayAgain(true)
  await again
  assert.equal(asked(), 2)
})

test('RFC 7662 §2.1: the question is a form with the token and what it is, in the name of the client', async () => {
  const { settle, sent } = scene()
  await settle(true)
  const [request] = sent
  const headers = new Headers(request?.headers)
  assert.equal(request?.method, 'POST')
  assert.equal(headers.get('accept'), 'application/json')
  assert.equal(headers.get('content-type'), 'application/x-www-form-urlencoded')
  assert.equal(headers.get('authorization'), `Basic ${Buffer.from('api:secret').toString('base64')}`)
  assert.equal(request?.body, 'token=t&token_type_hint=access_token')
})
