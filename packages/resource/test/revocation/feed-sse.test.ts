/** Server-sent events, however they are cut into chunks (WHATWG HTML §9.2.6). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeFeedFrame, type FeedFrame, feedFrameText } from '@grantor/protocol/feed'
import type { Instant } from '@grantor/protocol/types'
import fc from 'fast-check'
import { SseFrames } from '../../src/revocation/feed-sse.ts'

const frames: FeedFrame[] = [
  { kind: 'hello', epoch: 'e', head: 3, asOf: 1000 as Instant, heartbeat: 5000, retention: 3600 },
  {
    kind: 'event',
    epoch: 'e',
    pos: 4,
    after: 3,
    message: {
      kind: 'cutoff',
      tenant: 'käse',
      dimension: 'subject',
      key: '🧀 u',
      at: 5 as Instant,
      issuedUpTo: 0 as Instant,
      until: 9000 as Instant,
    },
  },
  { kind: 'hb', epoch: 'e', pos: 4, after: 4, asOf: 2000 as Instant },
]
const text = `retry: 1000\n\n: warm\n${frames.map((frame) => feedFrameText(encodeFeedFrame(frame))).join('')}`

for (const [name, ending] of [
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
] as const) {
  test(`Frames are the same wherever the bytes are cut, with ${name} at the end of lines`, () => {
    const bytes = Buffer.from(`${text.replaceAll('\n', ending)}: the end\n`)
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        const sse = new SseFrames()
        const read = edges
          .slice(1)
          .flatMap((edge, n): unknown => sse.read(bytes.subarray(edges[n], edge)) ?? 'unreadable')
        assert.deepEqual(read, frames)
      }),
    )
  })
}

for (const [what, sent] of [
  ['no JSON', 'event: hb\ndata: {"p":\n\n'],
  ['an unknown event', 'event: purge\ndata: {}\n\n'],
  ['another version', 'event: hello\ndata: {"v":2,"epoch":"e","head":1,"as_of":1,"hb":1,"retention_s":1}\n\n'],
  ['an event without an id', 'event: revoke\ndata: {"p":0,"ts":1,"jti":"j","x":1}\n\n'],
  ['a line without end', `data: ${'x'.repeat(70_000)}`],
] as const) {
  test(`A stream with ${what} cannot be read on`, () => {
    assert.equal(new SseFrames().read(Buffer.from(sent)), null)
  })
}

test('WHATWG HTML §9.2.6: data in several lines are one with line ends between them; a space behind the colon is none of it', () => {
  const sse = new SseFrames()
  const [hello] = frames
  assert.ok(hello)
  const whole = feedFrameText(encodeFeedFrame(hello))
  const [, data = ''] = /^data: ?(.*)$/m.exec(whole) ?? []
  const half = data.indexOf(',') + 1
  const split = whole.replace(/^data: ?.*$/m, () => `data:${data.slice(0, half)}\ndata: ${data.slice(half)}`)
  assert.deepEqual(sse.read(Buffer.from(split)), [hello])
  // A field without a colon has an empty value: it makes the name of the event empty, which is no frame of the feed.
  assert.equal(sse.read(Buffer.from(whole.replace(/^event:.*$/m, 'event'))), null)
  assert.deepEqual(new SseFrames().read(Buffer.from('id: x\nevent: hello\n\n')), [], 'without data nothing happened')
})

test('WHATWG HTML §9.2.6: what an event says of itself is not true of the next one', () => {
  const [, event] = frames
  assert.ok(event)
  const whole = feedFrameText(encodeFeedFrame(event))
  for (const field of ['id', 'event']) {
    const sse = new SseFrames()
    assert.deepEqual(sse.read(Buffer.from(whole)), [event])
    assert.equal(sse.read(Buffer.from(whole.replace(new RegExp(`^${field}:.*\\n`, 'm'), ''))), null, field)
  }
})

test('a line is at most 64 KiB, to the character', () => {
  assert.deepEqual(new SseFrames().read(Buffer.from(`:${'x'.repeat(65_535)}`)), [])
  assert.equal(new SseFrames().read(Buffer.from(`:${'x'.repeat(65_536)}`)), null)
})
