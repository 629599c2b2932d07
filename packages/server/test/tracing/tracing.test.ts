/** Traces of OpenTelemetry, from a request to the store, as a collector receives them. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { defaultTenant } from '../../src/issuer.ts'
import { databases, eventually, secret, startFeedDeployment } from '../feed/feed-deployment.ts'

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, string | number>>
}

interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code?: number }
}

interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[] }[]
}

/** What OTLP's own endpoint does with what it is sent: it keeps it. */
async function startCollector() {
  const spans: ReceivedSpan[] = []
  const texts: string[] = []
  const server = createServer(async (request, response) => {
    const received = (await json(request)) as Export
    texts.push(`${request.url} ${JSON.stringify(received)}`)
    for (const { scopeSpans } of received.resourceSpans) spans.push(...scopeSpans.flatMap((scope) => scope.spans))
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    texts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const attributesOf = ({ attributes }: ReceivedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const traceId = (): string => randomBytes(16).toString('hex')
const sampled = (trace: string): string => `00-${trace}-${randomBytes(8).toString('hex')}-01`

for (const database of databases) {
  test(`a request is a trace: its route and status, and each thing it asks of the store (${database})`, async () => {
    await using collector = await startCollector()
    const traces = { token: traceId(), refused: traceId(), page: traceId(), api: traceId(), json: traceId() }
    await using it = await startFeedDeployment(database, { GRANTOR_TRACING_ENDPOINT: collector.endpoint })
    const asked = async (path: string, trace: string, more: object = {}): Promise<number> =>
      (await it.ask(path, { headers: { traceparent: sampled(trace) }, ...more })).status
    const credentials = { grant_type: 'client_credentials', scope: 'invoices:read' }
    const basic = `Basic ${Buffer.from(`svc:${secret}`).toString('base64')}`
    const headers = { traceparent: sampled(traces.token), authorization: basic }
    // Together: each of one turn of the event loop keeps to its own trace.
    const statuses = await Promise.all([
      asked('/token', traces.token, { form: credentials, headers }),
      asked('/token', traces.refused, { form: { ...credentials, client_id: 'svc', client_secret: 'wrong' } }),
      asked('/sign-in?then=secret-in-the-address', traces.page),
      asked('/v1/clients', traces.api),
      asked('/register', traces.json, { method: 'POST', headers: { traceparent: sampled(traces.json) } }),
    ])
    assert.equal(statuses[0], 200)
    const { events } = it.deployment.store
    await events.position()
    const issued = (await events.after(defaultTenant, 0, 100)).find(({ name }) => name === 'token.issued')
    assert.equal(issued?.traceId, traces.token)
    // A span ends when its answer is written out, which whoever reads it may be ahead of; not of the answer after next.
    for (let i = 0; i < 3; i += 1) await it.ask('/jwks')
    await it.deployment.tracing.close()
    const spansOf = (trace: string) => collector.spans.filter((span) => span.traceId === trace)
    const rootOf = (trace: string) => spansOf(trace).find(({ kind }) => kind === 2)
    const root = rootOf(traces.token)
    assert.ok(root !== undefined)
    assert.equal(root.name, 'POST /token')
    assert.deepEqual(attributesOf(root), {
      'http.request.method': 'POST',
      'http.route': '/token',
      'http.response.status_code': 200,
    })
    const children = spansOf(traces.token).filter(({ parentSpanId }) => parentSpanId === root.spanId)
    assert.ok(children.some(({ name }) => name === 'store.tokens.issue'))
    assert.equal(children.length, spansOf(traces.token).length - 1)
    assert.equal(attributesOf(rootOf(traces.refused) as ReceivedSpan)['error.type'], 'client_unauthenticated')
    assert.ok(!spansOf(traces.refused).some(({ name }) => name === 'store.tokens.issue'))
    assert.equal(rootOf(traces.api)?.name, 'GET /v1')
    assert.equal(rootOf(traces.json)?.name, 'POST /register')
    assert.ok(rootOf(traces.page) !== undefined)
    const everything = collector.texts.join('\n')
    assert.ok(collector.texts.every((text) => text.startsWith('/v1/traces ')))
    for (const hidden of [secret, 'secret-in-the-address', 'svc', '127.0.0.1'])
      assert.ok(!everything.includes(hidden), `${hidden} is in no trace`)
  })
}

test('a trace that a caller does not keep is not kept here; of those that it keeps, the declared share is', async () => {
  await using collector = await startCollector()
  await using it = await startFeedDeployment('sqlite', {
    GRANTOR_TRACING_ENDPOINT: collector.endpoint,
    GRANTOR_TRACING_PERCENT: '0',
  })
  for (const flags of ['00', '01'])
    await it.ask('/jwks', { headers: { traceparent: `00-${traceId()}-${randomBytes(8).toString('hex')}-${flags}` } })
  await it.deployment.tracing.close()
  assert.deepEqual(collector.spans, [])
})

test('a collector that is away is told of in the log, and holds nobody up', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-tracing-'))
  const file = join(folder, 'log')
  try {
    const endpoint = await (async () => {
      await using collector = await startCollector()
      return collector.endpoint
    })()
    await using it = await startFeedDeployment('sqlite', {
      GRANTOR_TRACING_ENDPOINT: endpoint,
      GRANTOR_LOG: 'warn',
      GRANTOR_LOG_FILE: file,
    })
    assert.equal((await it.ask('/jwks')).status, 200)
    await it.deployment.tracing.close()
    await eventually(
      async () => readFileSync(file, 'utf8').includes('tracing.endpoint'),
      'the line about the collector',
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('an address that is none is a mistake of the settings', () => {
  for (const endpoint of ['collector:4318', 'ftp://collector', ''])
    assert.equal(
      loadSettings({ flags: {}, env: { GRANTOR_TRACING_ENDPOINT: endpoint }, cwd: tmpdir() }).kind,
      endpoint === '' ? 'ok' : 'error',
      endpoint,
    )
})
