/** The Orders API as a process would start it: HTTPS, its own folder, and nothing left behind. */
import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { err } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { createValidator, type Validator } from '@grantor/resource'
import { createTestIssuer } from '@grantor/resource/testing'
import { selfSigned } from '../../resource/test/certificates.ts'
import { type RunningOrders, startOrders } from '../src/start-orders.ts'

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}
function ask(
  url: string,
  ca: string,
  sent: { method?: string; headers?: Record<string, string>; body?: string; shown?: object } = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const message = request(
      url,
      { ca, agent: false, method: sent.method ?? 'GET', headers: sent.headers ?? {}, ...sent.shown },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      },
    )
    message.on('error', reject).end(sent.body)
  })
}

const issuer = 'https://localhost:8443'

/** The audience holds the port, which is known only once it runs: tokens are minted for it after that. */
function lateValidator(): {
  validator: Validator
  settle: (audience: string) => (scope: string, claims?: JsonObject) => string
} {
  let held: Validator | null = null
  const validator: Validator = {
    validate: (presented) => held?.validate(presented) ?? err({ code: 'keys_unavailable', status: 503, retryAfter: 1 }),
    record: (rejection, caller) => held?.record(rejection, caller),
    ready: () => held?.ready() ?? false,
    whenReady: () => Promise.resolve(),
    close: () => held?.close() ?? Promise.resolve(),
  }
  return {
    validator,
    settle(audience) {
      const dev = createTestIssuer({ audience, issuer })
      held = createValidator({ audience, issuers: [dev.trust] })
      return (scope, claims = {}) => dev.mint({ scope, claims })
    },
  }
}

test('it starts on HTTPS, serves orders to who has a token, goes on after a restart, and closes', async () => {
  const tls = await selfSigned('localhost')
  const dataFolder = mkdtempSync(join(tmpdir(), 'orders-'))
  const start = (validator: Validator, port = 0): Promise<RunningOrders> =>
    startOrders({ issuer, credentials: { clientId: 'x', clientSecret: 'x' }, tls, dataFolder, port, validator })
  try {
    const first = lateValidator()
    const running = await start(first.validator)
    assert.equal(running.url, `https://localhost:${running.port}`)
    assert.equal((await ask(`${running.url}/v1/orders`, tls.cert)).status, 503)
    const mint = first.settle(running.url)
    const write = { authorization: `Bearer ${mint('orders:write orders:read')}`, 'content-type': 'application/json' }
    for (let i = 0; i < 3; i++) {
      const body = JSON.stringify({ items: [{ sku: 'a', qty: 1 }], total: i })
      assert.equal(
        (await ask(`${running.url}/v1/orders`, tls.cert, { method: 'POST', headers: write, body })).status,
        201,
      )
    }
    const page = await ask(`${running.url}/v1/orders?limit=2`, tls.cert, { headers: write })
    const { next } = JSON.parse(page.text) as { next: string }
    const open = await ask(`${running.url}/openapi.json`, tls.cert)
    assert.equal(open.status, 200)
    assert.equal((JSON.parse(open.text) as { servers: { url: string }[] }).servers[0]?.url, running.url)
    assert.equal((await ask(`${running.url}/metrics`, tls.cert)).status, 200)
    assert.equal((await ask(`${running.url}/v1/orders`, tls.cert)).status, 401)
    await running.close()

    const second = lateValidator()
    const again = await start(second.validator, running.port)
    const headers = { authorization: `Bearer ${second.settle(again.url)('orders:read')}` }
    const rest = await ask(again.url + next, tls.cert, { headers })
    assert.equal(rest.status, 200, rest.text)
    assert.equal((JSON.parse(rest.text) as { items: unknown[] }).items.length, 1)
    const third = lateValidator()
    await assert.rejects(start(third.validator, running.port), { code: 'EADDRINUSE' })
    await again.close()
    await assert.rejects(ask(`${running.url}/openapi.json`, tls.cert), { code: 'ECONNREFUSED' })
  } finally {
    rmSync(dataFolder, { recursive: true })
  }
})

test('it holds no more connections than it may; those who are in go on, and a place that is free is given', async () => {
  const tls = await selfSigned('localhost')
  const dataFolder = mkdtempSync(join(tmpdir(), 'orders-'))
  const { validator } = lateValidator()
  const credentials = { clientId: 'x', clientSecret: 'x' }
  const running = await startOrders({ issuer, credentials, tls, dataFolder, port: 0, validator, connections: 2 })
  const dial = async (): Promise<Socket> => {
    const socket = connect({ port: running.port, host: '127.0.0.1' }).on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  try {
    const [first, second] = [await dial(), await dial()]
    const third = await dial()
    await once(third, 'close')
    assert.deepEqual([first.destroyed, second.destroyed], [false, false])
    first.destroy()
    second.destroy()
    const deadline = Date.now() + 30_000
    const asked = () =>
      ask(`${running.url}/openapi.json`, tls.cert).then(
        ({ status }) => status,
        () => 0,
      )
    while ((await asked()) !== 200) assert.ok(Date.now() < deadline, 'no place became free')
  } finally {
    await running.close()
    rmSync(dataFolder, { recursive: true })
  }
})

test('what is under way at its second port when it closes is answered first, and then nobody is waited for', async () => {
  const tls = await selfSigned('localhost')
  const dataFolder = mkdtempSync(join(tmpdir(), 'orders-'))
  const { validator, settle } = lateValidator()
  const [arrived, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: Validator = {
    ...validator,
    async validate(presented) {
      arrived.resolve()
      await go.promise
      return validator.validate(presented)
    },
  }
  const credentials = { clientId: 'x', clientSecret: 'x' }
  const running = await startOrders({ issuer, credentials, tls, dataFolder, port: 0, mtlsPort: 0, validator: slow })
  const agent = new Agent({ keepAlive: true })
  try {
    const headers = { authorization: `Bearer ${settle(running.url)('orders:read')}` }
    const url = `https://localhost:${running.mtlsPort}/v1/orders`
    const asked = ask(url, tls.cert, { headers, shown: { agent } })
    await arrived.promise
    const closing = running.close()
    go.resolve()
    const { status, headers: got } = await asked
    assert.deepEqual([status, got['connection']], [200, 'close'])
    await closing
  } finally {
    agent.destroy()
    rmSync(dataFolder, { recursive: true })
  }
})

test('RFC 8705 §3: at its second port a bound token is good with its certificate, and with nothing else', async () => {
  const [tls, own, other] = [
    await selfSigned('localhost'),
    await selfSigned('localhost'),
    await selfSigned('localhost'),
  ]
  const dataFolder = mkdtempSync(join(tmpdir(), 'orders-'))
  const { validator, settle } = lateValidator()
  const parts = { issuer, credentials: { clientId: 'x', clientSecret: 'x' }, tls, dataFolder, port: 0, validator }
  const running = await startOrders({ ...parts, mtlsPort: 0 })
  try {
    const thumbprint = createHash('sha256').update(new X509Certificate(own.cert).raw).digest('base64url')
    const token = settle(running.url)('orders:read', { cnf: { 'x5t#S256': thumbprint } })
    const headers = { authorization: `Bearer ${token}` }
    const status = async (base: string, shown: object) =>
      (await ask(`${base}/v1/orders`, tls.cert, { headers, shown })).status
    const second = `https://localhost:${running.mtlsPort}`
    assert.equal(await status(second, own), 200)
    assert.equal(await status(second, other), 401)
    assert.equal(await status(second, {}), 401)
    // FAPI 1.0 Baseline §6.2.1: an interaction keeps the name that the client gave it, if it is one.
    const named = async (id: string) =>
      String(
        (await ask(second, tls.cert, { headers: { 'x-fapi-interaction-id': id } })).headers['x-fapi-interaction-id'],
      )
    const interaction = 'c770aef3-6784-41f7-8e0e-ff5f97bddb3a'
    assert.equal(await named(interaction), interaction)
    assert.match(await named('<script>'), /^[\da-f-]{36}$/)
    // Nobody is asked for a certificate at the first port.
    assert.equal(await status(running.url, own), 401)
    // A port that is taken becomes another one.
    const beside = lateValidator()
    const folder = mkdtempSync(join(tmpdir(), 'orders-'))
    const neighbour = await startOrders({
      ...parts,
      dataFolder: folder,
      validator: beside.validator,
      mtlsPort: running.mtlsPort ?? 0,
    })
    assert.notEqual(neighbour.mtlsPort, running.mtlsPort)
    await neighbour.close()
    rmSync(folder, { recursive: true })
  } finally {
    await running.close()
    rmSync(dataFolder, { recursive: true })
  }
})
