/** Connections that nobody uses are closed; those in use are not, and clients are told how long they may keep one. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { closeIdle } from '../../src/http/idle.ts'
import { localCertificate } from '../../src/tls/local-ca.ts'
import { testbed } from './testbed.ts'

const limits = { silence: 150, checkEvery: 20 }

async function serving(handler: (response: ServerResponse) => void): Promise<Server & AsyncDisposable> {
  const server = createServer({ keepAliveTimeout: 0 }, (_request, response) => handler(response))
  closeIdle(server, 'connection', limits)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(server, {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  })
}

async function dial(server: Server): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume()
  await once(socket, 'connect')
  return socket
}

const get = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'

test('a connection that never asks, and one that asks no more, are closed', async () => {
  await using server = await serving((response) => response.end('ok'))
  const [silent, done] = [await dial(server), await dial(server)]
  done.write(get)
  await Promise.all([once(silent, 'close'), once(done, 'close')])
  assert.ok(done.bytesRead > 0)
})

test('over TLS as well, and not while requests come', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-idle-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const shown = await localCertificate({ data: folder, names: ['localhost'], now: Date.now() })
  const made = createTlsServer({ cert: shown.cert, key: shown.key, keepAliveTimeout: 0 }, (_, response) =>
    response.end(),
  )
  closeIdle(made, 'secureConnection', limits)
  made.listen(0, '127.0.0.1')
  await once(made, 'listening')
  const dialTls = async () => {
    const socket = connectTls({
      port: (made.address() as AddressInfo).port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
    })
    await once(socket.resume(), 'secureConnect')
    return socket
  }
  const [silent, busy] = [await dialTls(), await dialTls()]
  const asking = setInterval(() => busy.write(get), 30)
  await once(silent, 'close')
  await sleep(2 * limits.silence)
  assert.equal(busy.readableEnded, false)
  clearInterval(asking)
  await once(busy, 'close')
  await new Promise((closed) => made.close(closed))
})

test('one over which anything moves stays: requests, and an answer that goes on', async () => {
  await using server = await serving((response) => {
    const pulse = setInterval(() => response.write('.'), 30)
    response.once('close', () => clearInterval(pulse))
  })
  const streaming = await dial(server)
  streaming.write(get)
  await sleep(3 * limits.silence)
  assert.equal(streaming.destroyed, false)
  assert.equal(streaming.readableEnded, false)
  streaming.destroy()
})

test('an answer says how long its connection is kept, unless it is the last one', async () => {
  const { app } = testbed({}, { draining: () => drained })
  let drained = false
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const ask = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${port}/jwks`, { headers })
  try {
    assert.equal((await ask({})).headers.get('keep-alive'), 'timeout=65')
    assert.equal((await ask({ connection: 'close' })).headers.get('keep-alive'), null)
    drained = true
    const last = await ask({})
    assert.equal(last.headers.get('connection'), 'close')
    assert.equal(last.headers.get('keep-alive'), null)
  } finally {
    await app.close()
  }
})
