/** SSF 1.0 §8.1.1: what a receiver may say of its stream, at the very edges; what it may not, and which word is wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { served } from '../../src/documents/served.ts'
import { textLimits } from '../../src/oauth/text-limits.ts'
import { deliveryMethod, signalsSupported } from '../../src/ssf/event-types.ts'
import { contradicts, deliveredOf, readStream, streamDocument } from '../../src/ssf/stream.ts'
import type { Json } from '../../src/types.ts'

const url = 'https://receiver.example/events'
const pushed = { method: deliveryMethod.push, endpoint_url: url }
const typeList = 'events_requested is a list of up to 50 addresses of event types.'
const header = 'delivery.authorization_header is the value of a header.'
const longUri = (length: number) => 'https://x.example/'.padEnd(length, 'a')

const said = (body: Json) => {
  const read = readStream(body, served)
  return read.kind === 'ok' ? read.value : read.error
}
const nothing = { delivery: undefined, authorization: undefined, requested: undefined, description: undefined }

test('what is said is taken, and what is left out is not spoken of', () => {
  assert.deepEqual(said({}), nothing)
  assert.deepEqual(said({ description: null, events_requested: [] }), { ...nothing, description: null, requested: [] })
  assert.deepEqual(said({ delivery: { method: deliveryMethod.poll, endpoint_url: 7 } }), {
    ...nothing,
    delivery: { method: 'poll', url: null },
  })
  for (const authorization of [undefined, 'x', 'Bearer of it', 'x'.repeat(4096)])
    assert.deepEqual(
      said({
        delivery: { ...pushed, ...(authorization === undefined ? {} : { authorization_header: authorization }) },
      }),
      {
        ...nothing,
        delivery: { method: 'push', url },
        authorization,
      },
    )
  const longest = { method: deliveryMethod.push, endpoint_url: longUri(textLimits.uri) }
  assert.notEqual(typeof said({ delivery: longest }), 'string')
  const many = Array.from({ length: 50 }, () => longUri(textLimits.uri))
  assert.deepEqual(said({ events_requested: many, description: 'x'.repeat(500) }), {
    ...nothing,
    requested: many,
    description: 'x'.repeat(500),
  })
})

test('what is wrong is named', () => {
  const table: readonly (readonly [Json, string])[] = [
    ['text', 'The body is an object.'],
    [{ events_requested: 'x' }, typeList],
    [{ events_requested: Array.from({ length: 51 }, () => 'x') }, typeList],
    [{ events_requested: ['x', 7] }, typeList],
    [{ events_requested: [longUri(textLimits.uri + 1)] }, typeList],
    [{ description: 'x'.repeat(501) }, 'description must not be longer than 500 characters.'],
    [{ delivery: 'push' }, `delivery.method is ${deliveryMethod.push} or ${deliveryMethod.poll}.`],
    [{ delivery: { ...pushed, endpoint_url: 'http://receiver.example' } }, 'delivery.endpoint_url must use https.'],
    [
      { delivery: { ...pushed, endpoint_url: 'https://receiver.example:8443/' } },
      'delivery.endpoint_url must use port 443 (outbound.allow lists exceptions).',
    ],
    [{ delivery: { ...pushed, endpoint_url: 7 } }, 'delivery.endpoint_url is an https address.'],
    [
      { delivery: { ...pushed, endpoint_url: longUri(textLimits.uri + 1) } },
      'delivery.endpoint_url is an https address.',
    ],
    ...['', ' x', 'x ', 'a\r\nb', 'x'.repeat(4097), 7].map(
      (authorization_header) => [{ delivery: { ...pushed, authorization_header } }, header] as const,
    ),
  ]
  for (const [body, problem] of table) assert.equal(said(body), problem, JSON.stringify(body).slice(0, 100))
  assert.match(
    JSON.stringify(said({ delivery: { ...pushed, endpoint_url: 'http://receiver.example' } })),
    /^"delivery\.endpoint_url .*\."$/,
  )
})

test('what is ours to say may be repeated, in any order, and not changed', () => {
  const [first = '', second = ''] = signalsSupported
  const requested = [second, first, 'https://x.example/other']
  const delivered = deliveredOf(requested)
  assert.deepEqual(delivered, [first, second], 'of what is asked for, what there is')
  const settings = {
    clientId: 'r',
    method: 'poll',
    url: null,
    requested,
    delivered,
    description: null,
    held: false,
  } as const
  const document = streamDocument('a b', settings, 'https://as.example')
  assert.deepEqual(
    [document['stream_id'], document['iss'], document['aud'], 'description' in document],
    ['a b', 'https://as.example', 'r', false],
  )
  assert.deepEqual(document['delivery'], {
    method: deliveryMethod.poll,
    endpoint_url: 'https://as.example/ssf/poll?stream_id=a%20b',
  })
  assert.deepEqual([document['events_supported'], document['events_requested']], [signalsSupported, requested])
  assert.equal(contradicts(document, document), null)
  assert.equal(contradicts({ events_delivered: [second, first], stream_id: 'other' }, document), null)
  assert.equal(contradicts('text', document), null)
  assert.equal(contradicts({ iss: 'https://other.example' }, document), 'iss')
  for (const name of ['iss', 'aud', 'events_supported', 'events_delivered'])
    assert.equal(contradicts({ [name]: ['x'] }, document), name)
  const described = streamDocument('s', { ...settings, method: 'push', url, description: 'Mine' }, 'https://as.example')
  assert.deepEqual([described['delivery'], described['description']], [pushed, 'Mine'])
})
