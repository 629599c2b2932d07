/** Webhooks over HTTP: made with a secret shown once, told over TLS, verified as the documentation says, and looked after. */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { eventually } from '../feed/feed-deployment.ts'
import { openHttpsServer } from '../outbound/test-servers.ts'
import { codeIn, itemsIn, startAdminDeployment } from './admin-deployment.ts'

interface Received {
  readonly headers: Record<string, string | undefined>
  readonly body: string
}

interface Delivery {
  readonly id: string
  readonly type: string
  readonly state: string
  readonly attempts: number
  readonly last_status?: number
  readonly last_error?: string
  readonly latency_ms?: number
  readonly made_at: string
  readonly next_try_at: string
}

type Verify = (headers: Received['headers'], body: string, secret: string) => boolean

const folder = mkdtempSync(join(tmpdir(), 'grantor-webhooks-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** The snippet of docs/webhooks.md, as a reader copies it. */
async function documentedVerifier(): Promise<Verify> {
  const page = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8')
  const [, snippet = assert.fail('docs/webhooks.md has no snippet in TypeScript')] =
    /```ts\n([^]+?)```/.exec(page) ?? []
  const file = join(folder, 'verify-webhook.ts')
  writeFileSync(file, snippet)
  return ((await import(pathToFileURL(file).href)) as { readonly verifyWebhook: Verify }).verifyWebhook
}

async function scene() {
  const received: Received[] = []
  const inbox = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk)
    const headers = request.headers as Record<string, string | undefined>
    received.push({ headers, body: Buffer.concat(chunks).toString() })
    // More than anybody wants to read.
    response.writeHead(200).end('x'.repeat(1_000_000))
  }
  const receiver = await openHttpsServer({
    '/in': (request, response) => void inbox(request, response),
    '/moved': (_request, response) => response.writeHead(307, { location: '/in' }).end(),
    '/broken': (_request, response) => response.writeHead(503, { 'retry-after': '600' }).end(),
  })
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, receiver.ca)
  const deployment = await startAdminDeployment('sqlite', {
    GRANTOR_OUTBOUND_ALLOW: `localhost:${receiver.port}`,
    GRANTOR_OUTBOUND_CA: ca,
  })
  return {
    received,
    deployment,
    at: (path: string): string => `https://localhost:${receiver.port}${path}`,
    async [Symbol.asyncDispose]() {
      await deployment[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

test('a webhook is made, told, verified, rotated, replayed and deleted', async () => {
  await using it = await scene()
  const { received, at } = it
  const { call } = it.deployment
  const verify = await documentedVerifier()
  const created = await call('/v1/webhooks', { json: { url: at('/in'), events: ['client.*'], description: 'Shop' } })
  assert.equal(created.status, 201, created.body)
  const { secret, ...shown } = created.json() as JsonObject & { readonly id: string; readonly secret: string }
  const { id } = shown
  assert.match(secret, /^whsec_[\w+/]{43}=$/)
  assert.deepEqual(itemsIn(await call('/v1/webhooks')), [shown], 'without its secret')
  assert.deepEqual((await call(`/v1/webhooks/${id}`)).json(), shown)

  const told = { client_name: 'Told', grant_types: ['client_credentials'], response_types: [] }
  const client = (await call('/v1/clients', { json: told })).json()
  await eventually(async () => received.length === 1, 'the message')
  const [message = assert.fail()] = received
  assert.equal(message.headers['content-type'], 'application/json')
  assert.ok(verify(message.headers, message.body, secret))
  assert.ok(!verify(message.headers, `${message.body} `, secret))
  const { type, tenant } = JSON.parse(message.body) as JsonObject
  assert.deepEqual([type, tenant], ['client.registered', 'default'])
  assert.ok(!message.body.includes(String(client['client_secret'])))

  const rotated = (await call(`/v1/webhooks/${id}/rotate-secret`, { json: { overlap: 3600 } })).json()
  const tested = (await call(`/v1/webhooks/${id}/test`, { json: {} })).json()
  await eventually(async () => received.length === 2, 'the test')
  const test = received[1] ?? assert.fail()
  assert.ok(verify(test.headers, test.body, secret) && verify(test.headers, test.body, String(rotated['secret'])))
  assert.deepEqual([test.headers['webhook-id'], JSON.parse(test.body)['type']], [tested['id'], 'webhook.test'])

  const log = async (question: JsonObject) =>
    itemsIn(await call(`/v1/webhooks/${id}/deliveries`, { json: question })) as unknown as readonly Delivery[]
  await eventually(async () => (await log({ state: 'delivered' })).length === 2, 'the log')
  const [latest = assert.fail()] = await log({ limit: 1 })
  assert.deepEqual([latest.type, latest.attempts, latest.last_status], ['webhook.test', 1, 200])
  assert.equal(typeof latest.latency_ms, 'number')
  const again = await call(`/v1/webhooks/${id}/replay`, { json: { delivery: latest.id } })
  assert.deepEqual(again.json(), { queued: 1 })
  await eventually(async () => received.length === 3, 'the replay')
  assert.equal(received[2]?.headers['webhook-id'], tested['id'])

  const version = String((await call(`/v1/webhooks/${id}`)).headers['etag'])
  const paused = await call(`/v1/webhooks/${id}`, {
    method: 'PATCH',
    json: { status: 'disabled' },
    headers: { 'if-match': version, 'content-type': 'application/merge-patch+json' },
  })
  assert.equal(paused.status, 200, paused.body)
  const untold = await call(`/v1/webhooks/${id}/test`, { json: {} })
  assert.deepEqual([untold.status, untold.json()['detail']], [409, `Webhook ${id} is disabled.`])
  assert.equal((await call(`/v1/webhooks/${id}`, { method: 'DELETE' })).status, 204)
  assert.equal((await call(`/v1/webhooks/${id}`)).status, 404)
})

test('redirects are not followed, failures are told, and nothing is sent to where it must not be', async () => {
  await using it = await scene()
  const { received, at } = it
  const { call } = it.deployment
  const hook = async (url: string) => {
    const made = (await call('/v1/webhooks', { json: { url, events: ['consent.*'] } })).json()
    await call(`/v1/webhooks/${String(made['id'])}/test`, { json: {} })
    return String(made['id'])
  }
  const last = async (id: string) =>
    itemsIn(await call(`/v1/webhooks/${id}/deliveries`, { json: {} }))[0] as unknown as Delivery
  for (const [path, status] of [
    ['/moved', 307],
    ['/broken', 503],
  ] as const) {
    const id = await hook(at(path))
    await eventually(async () => (await last(id))?.last_status === status, path)
    const { state, last_error: error, next_try_at: next, made_at: made } = await last(id)
    assert.deepEqual([state, error], ['waiting', 'status'])
    const pause = Date.parse(next) - Date.parse(made)
    if (status === 503) assert.ok(pause >= 600_000, `Retry-After: ${pause}`)
    assert.ok(String((await call(`/v1/webhooks/${id}`)).json()['failing_since']) >= made)
  }
  assert.equal(received.length, 0)
  for (const url of ['https://127.0.0.1/', 'https://localhost:1/', 'http://hooks.example/', 'https://10.1.2.3/']) {
    const refused = await call('/v1/webhooks', { json: { url, events: ['*'] } })
    assert.deepEqual([refused.status, codeIn(refused)], [400, 'validation_error'], url)
  }
})
