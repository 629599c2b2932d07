/** Webhooks: which events they hear of, what they are told and how it is signed, and how they are declared. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { served } from '../../src/documents/served.ts'
import type { SealedEvent } from '../../src/events/event.ts'
import { textLimits } from '../../src/oauth/text-limits.ts'
import {
  isOwnMessage,
  matchesEvent,
  mostWebhooks,
  orderKeyOf,
  patternProblem,
  readWebhook,
  webhookFields,
  webhookHeaders,
  webhookIdProblem,
  webhookKey,
  webhookPayload,
  webhookSecretOf,
  webhookTest,
} from '../../src/webhooks/index.ts'
import type { Json, JsonObject } from '../../src/types.ts'
import { at } from '../samples.ts'

test('events are chosen by name, by noun or all; what becomes of deliveries is never delivered', () => {
  for (const pattern of ['*', 'session.ended', 'session.*', 'session.', 'session'])
    assert.equal(matchesEvent(['token.issued', pattern], 'session.ended'), true, pattern)
  for (const pattern of ['sess', 'session.end', 'session.ended.*', 'ession.ended', ''])
    assert.equal(matchesEvent([pattern], 'session.ended'), false, pattern)
  assert.equal(matchesEvent([], 'session.ended'), false)
  for (const name of ['webhook.disabled', 'stream.disabled'] as const)
    for (const pattern of ['*', name]) assert.equal(matchesEvent([pattern], name), false, `${pattern} ${name}`)
})

test('a list of events is bounded, and a name that is none is told', () => {
  const many = (count: number) => Array.from({ length: count }, () => 'session.ended')
  const unknown = (name: string) =>
    `must hold names of events, their beginnings (session.*), or *; none is called ${name}`
  const rows: readonly (readonly [Json | undefined, string | null])[] = [
    [many(50), null],
    [['*', 'token'], null],
    [many(51), 'must hold 1 to 50 entries'],
    [[], 'must hold 1 to 50 entries'],
    [undefined, 'must be a list'],
    ['*', 'must be a list'],
    [['*', 7], unknown('7')],
    [['session.ended', 'sessions'], unknown('"sessions"')],
    [['webhook.disabled'], unknown('"webhook.disabled"')],
    [['x'.repeat(100)], unknown(`"${'x'.repeat(79)}`)],
  ]
  for (const [value, problem] of rows) assert.equal(patternProblem(value), problem, JSON.stringify(value)?.slice(0, 60))
})

test('Standard Webhooks: a secret has 24 to 64 bytes in base64, and one spelling', () => {
  for (const length of [24, 25, 64]) {
    const secret = webhookSecretOf(Buffer.alloc(length, 7))
    assert.deepEqual(webhookKey(secret), Buffer.alloc(length, 7))
    assert.deepEqual(webhookKey(secret.replaceAll('=', '')), Buffer.alloc(length, 7))
  }
  const good = webhookSecretOf(Buffer.alloc(24, 7))
  for (const bad of [
    webhookSecretOf(Buffer.alloc(23)),
    webhookSecretOf(Buffer.alloc(65)),
    good.slice(6),
    `x${good}`,
    `${good}!`,
    'whsec_',
  ])
    assert.equal(webhookKey(bad), null, bad)
  assert.match(good, /^whsec_[A-Za-z0-9+/]{32}$/)
})

const message = { id: 'msg_1', at: at(1_700_000_000_999), content: '{"a":1}' }
const [one, two] = [Buffer.alloc(24, 1), Buffer.alloc(24, 2)]

test('Standard Webhooks: one signature for every secret, over the id, the second and the bytes', () => {
  const headers = webhookHeaders(message, [one, two])
  assert.deepEqual([headers['webhook-id'], headers['webhook-timestamp']], ['msg_1', '1700000000'])
  const [first = '', second = ''] = (headers['webhook-signature'] ?? '').split(' ')
  assert.match(first, /^v1,[A-Za-z0-9+/]{43}=$/)
  assert.notEqual(first, second)
  for (const other of [
    { ...message, id: 'msg_2' },
    { ...message, at: at(1_700_000_001_000) },
    { ...message, content: '{}' },
  ])
    assert.notEqual(webhookHeaders(other, [one])['webhook-signature'], first)
})

test('Standard Webhooks: a message is believed for five minutes to either side, and with all its headers', () => {
  const headers = webhookHeaders(message, [one])
  const secrets = [webhookSecretOf(two), webhookSecretOf(one)]
  const now = 1_700_000_000_000
  const own = (more: object = {}, offset = 0) =>
    isOwnMessage({ headers: { ...headers, ...more }, content: message.content, secrets, now: now + offset })
  assert.equal(own(), true)
  assert.equal(own({}, 300_000), true)
  assert.equal(own({}, -300_000), true)
  assert.equal(own({}, 300_001), false)
  assert.equal(own({}, -300_001), false)
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    for (const value of [undefined, ['x'], '']) assert.equal(own({ [name]: value }), false, `${name} ${String(value)}`)
  for (const timestamp of ['1700000000.0', '-1', 'now', '170000000000'])
    assert.equal(own({ 'webhook-timestamp': timestamp }), false)
  assert.equal(own({ 'webhook-signature': `v1,x ${headers['webhook-signature']}` }), true, 'one of several')
  assert.equal(isOwnMessage({ headers, content: message.content, secrets: [], now }), false)
  assert.equal(isOwnMessage({ headers, content: message.content, secrets: ['x'], now }), false)
})

const event = {
  id: 'e1',
  name: 'session.ended',
  at: at(0),
  tenant: 'acme',
  subject: null,
  clientId: null,
  data: { sid: 's' },
  actor: { kind: 'user', id: 'ada' },
} as unknown as SealedEvent

test('a message says the event as the log has it, without what it does not have', () => {
  const payload = webhookPayload(event)
  assert.deepEqual(
    [payload['type'], payload['timestamp'], payload['tenant']],
    ['session.ended', '1970-01-01T00:00:00.000Z', 'acme'],
  )
  const data = payload['data'] as JsonObject
  assert.equal(data['id'], 'e1')
  for (const name of ['name', 'at', 'tenant', 'subject']) assert.equal(name in data, false, name)
  assert.deepEqual(webhookTest('t1', 'acme', at(0)), {
    type: 'webhook.test',
    timestamp: '1970-01-01T00:00:00.000Z',
    tenant: 'acme',
    data: { id: 't1' },
  })
})

test('what is about one person arrives in order, else what is about one client', () => {
  assert.equal(orderKeyOf({ ...event, subject: 'ada', clientId: 'web' }), 'subject ada')
  assert.equal(orderKeyOf({ ...event, clientId: 'web' }), 'client web')
  assert.equal(orderKeyOf(event), 'event e1')
})

const url = 'https://hooks.example/in'
const events = ['session.ended']
const read = (input: JsonObject) => {
  const result = readWebhook(input, served)
  return result.kind === 'ok' ? result.value : result.error.map(({ field, problem }) => `${field} ${problem}`)
}

test('a webhook is declared by an address and events; the rest has its default', () => {
  assert.deepEqual(read({ url, events: ['*', '*'] }), { url, events: ['*'], description: null, status: 'enabled' })
  const whole = { url, events, description: 'x'.repeat(500), status: 'disabled' }
  assert.deepEqual(read(whole), whole)
  assert.deepEqual(webhookFields, ['url', 'events', 'description', 'status'])
  assert.equal(mostWebhooks, 100)
})

test('what is wrong with a webhook is told at its field, all at once', () => {
  const long = (length: number) => 'https://hooks.example/'.padEnd(length, 'x')
  const rows: readonly (readonly [JsonObject, readonly string[]])[] = [
    [{ events }, ['url must be a text']],
    [{ url: 'http://hooks.example/', events }, ['url must use https']],
    [{ url: 'https://hooks.example:8443/', events }, ['url must use port 443 (outbound.allow lists exceptions)']],
    [{ url: long(textLimits.uri + 1), events }, ['url must not be longer than 2048 characters']],
    [{ url }, ['events must be a list']],
    [{ url, events, description: 'x'.repeat(501) }, ['description must not be longer than 500 characters']],
    [{ url, events, status: 'paused' }, ['status must be enabled or disabled']],
    [{ status: 'x' }, ['url must be a text', 'events must be a list', 'status must be enabled or disabled']],
  ]
  for (const [input, problems] of rows) assert.deepEqual(read(input), problems)
  assert.equal(Array.isArray(read({ url: long(textLimits.uri), events })), false)
})

test('a webhook is named by up to 64 letters, digits, hyphens and underscores', () => {
  for (const id of ['a', '7', 'A-b_c', 'x'.repeat(64)]) assert.equal(webhookIdProblem(id), null, id)
  for (const id of ['', '-a', '_a', 'a.b', 'x'.repeat(65), 7, null])
    assert.equal(webhookIdProblem(id), 'must be 1 to 64 letters, digits, - or _, beginning with a letter or digit')
})
