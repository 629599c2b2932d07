/** The feed on the wire: who may read it, what each tenant sees, where a reader resumes, and who is cut off. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { NewEvent } from '@grantor/protocol/events'
import { type FeedFrame, feedPaths, formatFeedCursor, parseFeedFrame, parseFeedPage } from '@grantor/protocol/feed'
import type { EventId, Instant, JsonObject, TenantId, TokenId } from '@grantor/protocol/types'
import { operator, type FeedDeployment, startFeedDeployment, eventually } from './feed-deployment.ts'

const bearer = (token: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { authorization: `Bearer ${token}`, ...more },
})

const reading = (it: FeedDeployment, tenant = ''): Promise<string> =>
  it.token('api', { scope: 'revocations:read' }, tenant)

async function pageOf(it: FeedDeployment, token: string, query = '', tenant = ''): Promise<readonly FeedFrame[]> {
  const { status, body, json } = await it.ask(`${tenant}${feedPaths.changes}${query}`, bearer(token))
  assert.equal(status, 200, body)
  const page = parseFeedPage(json())
  assert.ok(page, body)
  return page.frames
}

const cursorIn = (frames: readonly FeedFrame[]): string => {
  const last = frames.findLast((frame) => frame.kind === 'hb')
  assert.ok(last?.kind === 'hb')
  return formatFeedCursor(last)
}

const revoke = async (it: FeedDeployment, tenant = ''): Promise<string> => {
  const token = await it.token('svc', { scope: 'invoices:read' }, tenant)
  const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }
  assert.equal((await it.post(`${tenant}/revoke`, 'svc', { token })).status, 200)
  return jti
}

const revokedIn = (frames: readonly FeedFrame[]): readonly string[] =>
  frames.flatMap((frame) => (frame.kind === 'event' && frame.message.kind === 'revoke' ? [frame.message.jti] : []))

/** Frames of a stream as they come. */
async function* framesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<FeedFrame> {
  let text = ''
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString()
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? null
      const event = field('event')
      if (event === null) continue
      const frame = parseFeedFrame({ event, id: field('id'), data: JSON.parse(field('data') ?? 'null') as JsonObject })
      assert.ok(frame, block)
      yield frame
    }
  }
}

describe('the revocation feed on the wire', () => {
  test('RFC 6750 §3: no token, a broken one, a wrong scope, audience or tenant are 401 with a challenge', async () => {
    await using it = await startFeedDeployment()
    const wrongScope = await it.token('api', { scope: 'events:report' })
    const wrongAudience = await it.token()
    const ofAcme = await reading(it, '/t/acme')
    const revoked = await reading(it)
    await it.post('/revoke', 'api', { token: revoked })
    for (const path of Object.values(feedPaths)) {
      const challenge = async (question: Parameters<FeedDeployment['ask']>[1]) => {
        const { status, headers } = await it.ask(path, question)
        assert.equal(status, 401, path)
        return headers['www-authenticate']
      }
      assert.equal(await challenge({}), 'Bearer realm="grantor"')
      assert.match(String(await challenge(bearer('not.a.token'))), /error="invalid_token"/)
      assert.match(String(await challenge(bearer(wrongAudience))), /error="invalid_token"/)
      assert.match(String(await challenge(bearer(ofAcme))), /error="invalid_token"/)
      assert.match(String(await challenge(bearer(revoked))), /error="invalid_token"/)
      assert.match(String(await challenge(bearer(wrongScope))), /error="insufficient_scope".*scope="revocations:read"/)
    }
  })

  test('a malformed position or wait is 400 and names the parameter', async () => {
    await using it = await startFeedDeployment()
    const token = await reading(it)
    for (const query of [
      '?after=nonsense',
      '?after=a.-1',
      '?after=a.1&after=a.2',
      '?wait=-1',
      '?wait=1e3',
      '?wait=9999',
    ]) {
      assert.equal((await it.ask(feedPaths.changes + query, bearer(token))).status, 400, query)
    }
    const { status, body } = await it.ask(feedPaths.stream, bearer(token, { 'last-event-id': 'x'.repeat(500) }))
    assert.equal(status, 400)
    assert.match(body, /last_event_id/)
  })

  test('a tenant sees its own revocations and nothing of the others; the root sees all', async () => {
    await using it = await startFeedDeployment()
    const [root, ofAcme] = [await reading(it), await reading(it, '/t/acme')]
    const from = `?after=${cursorIn(await pageOf(it, root))}`
    const jtis = [await revoke(it), await revoke(it, '/t/acme'), await revoke(it, '/t/globex')]
    assert.deepEqual(revokedIn(await pageOf(it, root, from)), jtis)
    assert.deepEqual(revokedIn(await pageOf(it, ofAcme, from, '/t/acme')), [jtis[1]])
  })

  test('the whole deployment hears that it was restored, in every tenant, and starts over', async () => {
    await using it = await startFeedDeployment()
    const token = await reading(it, '/t/acme')
    const before = cursorIn(await pageOf(it, token, '', '/t/acme'))
    assert.ok((await it.deployment.authority.admin.deployment.restored(operator, 'a backup')).kind === 'ok')
    // The old token died with the restore, too.
    assert.equal((await it.ask(`/t/acme${feedPaths.changes}`, bearer(token))).status, 401)
    // `iat` is a whole second, so what was issued in the second of the restore is dead, too.
    let again = ''
    await eventually(async () => {
      again = await reading(it, '/t/acme')
      return (await it.ask(`/t/acme${feedPaths.changes}`, bearer(again))).status === 200
    }, 'a token of the new life')
    assert.deepEqual((await pageOf(it, again, `?after=${before}`, '/t/acme')).at(-1), {
      kind: 'reset',
      reason: 'epoch',
    })
  })

  test('a stream begins with hello, resumes after Last-Event-ID and goes on with what happens', async () => {
    await using it = await startFeedDeployment()
    const token = await reading(it)
    const from = cursorIn(await pageOf(it, token))
    const missed = [await revoke(it), await revoke(it)]
    const response = await it.open(feedPaths.stream, bearer(token, { 'last-event-id': from }))
    assert.equal(response.headers['content-type'], 'text/event-stream')
    const frames = framesOf(response)
    const seen: FeedFrame[] = []
    const next = async (): Promise<FeedFrame> => {
      const { value } = await frames.next()
      assert.ok(value)
      seen.push(value)
      return value
    }
    while ((await next()).kind !== 'hb') continue
    assert.equal(seen[0]?.kind, 'hello')
    assert.deepEqual(revokedIn(seen), missed)
    const later = await revoke(it)
    while (!revokedIn(seen).includes(later)) await next()
    // Each frame follows on the one before: whoever misses one knows it.
    let pos = Number(from.split('.')[1])
    for (const frame of seen) {
      if (frame.kind !== 'event' && frame.kind !== 'hb') continue
      assert.equal(frame.after, pos)
      pos = frame.pos
    }
    response.destroy()
  })

  test('an unknown epoch, and a position that the log has not reached, are told to start over', async () => {
    await using it = await startFeedDeployment()
    const token = await reading(it)
    const [epoch = '', pos = ''] = cursorIn(await pageOf(it, token)).split('.')
    for (const after of [`another.${pos}`, `${epoch}.${Number(pos) + 1_000_000}`]) {
      assert.deepEqual((await pageOf(it, token, `?after=${after}`)).at(-1), { kind: 'reset', reason: 'epoch' })
      const response = await it.open(feedPaths.stream, bearer(token, { 'last-event-id': after }))
      const kinds: string[] = []
      for await (const frame of framesOf(response)) kinds.push(frame.kind)
      assert.deepEqual(kinds, ['hello', 'reset'])
    }
  })

  test('a long poll answers as soon as there is something, and not for what concerns others', async () => {
    await using it = await startFeedDeployment()
    const token = await reading(it, '/t/acme')
    const from = cursorIn(await pageOf(it, token, '', '/t/acme'))
    const waiting = pageOf(it, token, `?after=${from}&wait=30`, '/t/acme')
    await revoke(it, '/t/globex')
    const mine = await revoke(it, '/t/acme')
    assert.deepEqual(revokedIn(await waiting), [mine])
  })

  test('a reader that does not read is cut off, and the others go on', async () => {
    await using it = await startFeedDeployment()
    const token = await reading(it)
    const ca = readFileSync(it.running.caFile ?? '')
    const socket = connect({ port: it.running.port, host: '127.0.0.1', servername: 'localhost', ca })
    socket.on('error', () => {})
    const closed = once(socket, 'close')
    await once(socket, 'secureConnect')
    socket.write(`GET ${feedPaths.stream} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    await once(socket, 'data')
    socket.pause()
    const told: string[] = []
    const end = await it.deployment.authority.feed.open({ tenant: 'default' as TenantId, after: null }, (frames) => {
      told.push(...revokedIn(frames))
    })
    // More than the buffers of two sockets and the one that we allow can hold together.
    const [batches, each] = [30, 1000]
    for (let batch = 0; batch < batches; batch++) {
      await it.deployment.store.events.append(Array.from({ length: each }, (_, n) => revocation(`${batch}-${n}`)))
    }
    await eventually(async () => told.length === batches * each, 'a reader that reads hears of all')
    let received = 0
    socket.on('data', (chunk: Buffer) => (received += chunk.length))
    socket.resume()
    await closed
    assert.ok(received < batches * each * padding.length, `${received} bytes arrived`)
    end()
  })
})

const padding = 'x'.repeat(1000)
let made = 0

const revocation = (jti: string): NewEvent => ({
  id: `evt-${(made += 1)}` as EventId,
  tenant: 'default' as TenantId,
  at: Date.now() as Instant,
  name: 'token.revoked',
  actor: { kind: 'system', id: null },
  subject: null,
  clientId: null,
  grantId: null,
  jti: `${jti}-${padding}` as TokenId,
  scope: null,
  reason: null,
  ip: null,
  traceId: null,
  data: null,
})

test('a stream ends soon after the token it was opened with is revoked, and lives on with one that is not', async () => {
  await using it = await startFeedDeployment()
  const [dies, lives] = [await reading(it), await reading(it)]
  const [ending, staying] = [
    await it.open(feedPaths.stream, bearer(dies)),
    await it.open(feedPaths.stream, bearer(lives)),
  ]
  staying.resume()
  assert.equal((await it.post('/revoke', 'api', { token: dies })).status, 200)
  // Ends by itself: the loop is over when the server has closed the stream.
  for await (const frame of framesOf(ending)) assert.ok(frame)
  assert.equal(staying.readableEnded || staying.destroyed, false)
  staying.destroy()
})
