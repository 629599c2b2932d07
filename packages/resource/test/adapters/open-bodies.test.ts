/** Bodies of Fetch: which are watched, that each is let go of however it ends, and which late answers are refused. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { isEndless } from '../../src/http/endless-types.ts'
import { answerWhileGood } from '../../src/adapters/open-bodies.ts'
import { apiResponse } from '../../src/http/response.ts'
import type { OpenExchange, OpenExchanges } from '../../src/protect/open-exchanges.ts'
import type { Caller } from '../../src/validate/caller.ts'
import type { Ending } from '../../src/validate/ending.ts'

const caller = { subject: 'alice' } as unknown as Caller
const now = 1_800_000_000_000

function exchanges(ending: Ending | null = null) {
  const all = new Set<OpenExchange>()
  const asked: (readonly [Caller, number])[] = []
  const open: OpenExchanges = {
    add: (one) => void all.add(one),
    delete: (one) => void all.delete(one),
    endOf: (who, openedAt) => (asked.push([who, openedAt]), ending),
  }
  return { open, all, asked }
}

const ended = (ending: Ending) => apiResponse(401, { 'x-why': ending })
const answered = (response: Response, open: OpenExchanges | null, method = 'GET') =>
  answerWhileGood({
    request: new Request('https://notes.example/', { method }),
    caller,
    handle: () => response,
    open,
    ended,
  })

/** A stream of events whose source is in our hand, and what became of the source. */
function events(headers: Record<string, string> = { 'content-type': 'text/event-stream' }) {
  let source: ReadableStreamDefaultController<Uint8Array> | undefined
  const cancelled: unknown[] = []
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (source = controller),
    cancel: (reason) => void cancelled.push(reason),
  })
  assert.ok(source !== undefined)
  return { response: new Response(body, { status: 203, statusText: 'Odd', headers }), source, cancelled }
}

test('a stream passes as it came, is watched from its beginning, and is let go of however it ends', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now })
  type Events = ReturnType<typeof events>
  const ends: Readonly<
    Record<string, (it: Events, reader: ReadableStreamDefaultReader, one: OpenExchange) => unknown>
  > = {
    'by itself': ({ source }) => source.close(),
    'by an error': ({ source }) => source.error(new Error('broken')),
    'by its reader': (_, reader) => reader.cancel('enough'),
    'by its token': (_, __, one) => one.cut('revoked'),
  }
  for (const [how, end] of Object.entries(ends)) {
    const it = events()
    const { open, all } = exchanges()
    const response = await answered(it.response, open)
    assert.deepEqual([response.status, response.statusText], [203, 'Odd'])
    assert.equal(response.headers.get('content-type'), 'text/event-stream')
    const [one] = all
    assert.ok(one !== undefined && response.body !== null)
    assert.deepEqual([one.caller, one.seenAt], [caller, now])
    const reader = response.body.getReader()
    it.source.enqueue(new TextEncoder().encode('data: one\n\n'))
    assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'data: one\n\n')
    await end(it, reader, one)
    if (how === 'by an error') await assert.rejects(reader.read(), /broken/)
    else assert.equal((await reader.read()).done, true, how)
    assert.equal(all.size, 0, how)
    const told = { 'by its reader': ['enough'], 'by its token': [undefined] }[how] ?? []
    assert.deepEqual(it.cancelled, told, how)
  }
})

test('a stream that has ended, however it did, is not ended again', async () => {
  for (const end of ['by its token', 'by its reader', 'by itself']) {
    const it = events()
    const { open, all } = exchanges()
    const reader = (await answered(it.response, open)).body?.getReader()
    const [one] = all
    assert.ok(one !== undefined && reader !== undefined)
    if (end === 'by its token') one.cut('stale')
    else if (end === 'by its reader') await reader.cancel()
    else it.source.close()
    await reader.read()
    assert.doesNotThrow(() => one.cut('stale'), end)
  }
})

test('whatever has an end of its own passes untouched, and so does everything where streams are left alone', async () => {
  const { open, all } = exchanges()
  const plain = [new Response('text'), new Response(null, { headers: { 'content-type': 'text/event-stream' } })]
  for (const response of plain) assert.equal(await answered(response, open), response)
  const { response } = events()
  assert.equal(await answered(response, null), response)
  assert.equal(all.size, 0)
})

test('a type without an end is known in whatever case and with whatever parameters; others are not', () => {
  for (const type of [
    'text/event-stream',
    'Text/Event-Stream; charset=utf-8',
    ' application/x-ndjson ;x=1',
    'application/jsonl',
    'application/json-seq',
    'multipart/x-mixed-replace; boundary=x',
  ])
    assert.equal(isEndless(type), true, type)
  for (const type of ['', 'application/json', 'text/event-streams', 'x; text/event-stream']) assert.ok(!isEndless(type))
})

/** So many milliseconds pass while the handler is at work. */
function takes(t: TestContext, milliseconds: number): void {
  t.mock.timers.enable({ apis: ['Date'], now })
  const times = [1000, 1000 + milliseconds]
  t.mock.method(performance, 'now', () => times.shift() ?? 0)
}

const slow = [
  ['GET', 500, 401],
  ['HEAD', 500, 401],
  ['GET', 499, 200],
  ['POST', 5000, 200],
  ['DELETE', 5000, 200],
] as const
for (const [method, milliseconds, status] of slow)
  test(`${method} that is answered after ${milliseconds} ms with a token that was revoked meanwhile: ${status}`, async (t) => {
    takes(t, milliseconds)
    const { open, asked } = exchanges('revoked')
    const { response, cancelled } = events({ 'content-type': 'text/plain' })
    const got = await answered(status === 200 ? new Response('late') : response, open, method)
    assert.deepEqual([got.status, got.headers.get('x-why')], [status, status === 401 ? 'revoked' : null])
    // Judged as of when it was opened; of an answer that nobody gets nothing more is made.
    assert.deepEqual(asked, status === 401 ? [[caller, now - milliseconds]] : [])
    assert.equal(cancelled.length, status === 401 ? 1 : 0)
  })

test('a late answer with a token that is still good passes, and a stream among them is watched', async (t) => {
  takes(t, 5000)
  const { open, all } = exchanges(null)
  assert.equal((await answered(events().response, open)).status, 203)
  assert.equal(all.size, 1)
})

test('a late answer where streams are left alone passes', async (t) => {
  takes(t, 5000)
  assert.equal(await (await answered(new Response('late'), null)).text(), 'late')
})
