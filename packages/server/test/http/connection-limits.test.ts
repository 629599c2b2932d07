/** Connections have a ceiling, in all and by address, half-open ones included; those who are in go on. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import type { ConnectionLimits } from '../../src/http/overload/connection-limits.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { localCertificate } from '../../src/tls/local-ca.ts'

const bounded = { timeout: 60_000 }

async function serving(limits: Partial<ConnectionLimits>, encrypted = false) {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-connections-'))
  const certificate = encrypted ? await localCertificate({ data: folder, names: ['localhost'], now: Date.now() }) : null
  const warnings: object[] = []
  const log = { warn: (facts: object) => void warnings.push(facts) }
  const connections = { most: 100, perAddress: 100, isProxy: () => false, ...limits }
  const server = createHttpServer((_request, response) => void response.end('ok'), certificate, {
    connections,
    log: log as never,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open: Socket[] = []
  return {
    port,
    warnings,
    /** From that address of this machine. */
    async dial(localAddress = '127.0.0.1'): Promise<Socket> {
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      open.push(socket)
      await once(socket, 'connect')
      return socket
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      rmSync(folder, { recursive: true })
    },
  }
}

const request = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'

/** What is answered first; nothing where it is closed. */
async function answer(socket: Socket): Promise<string> {
  socket.on('error', () => {})
  socket.write(request)
  const read = once(socket, 'data').then(([data]) => String(data))
  return Promise.race([read, once(socket, 'close').then(() => '')])
}

describe('a ceiling on connections', () => {
  test(
    'by address: what is too many is told 503 and closed, the others and other addresses go on',
    bounded,
    async () => {
      await using it = await serving({ perAddress: 3 })
      const held = [await it.dial(), await it.dial(), await it.dial()]
      for (let n = 0; n < 5; n++) assert.match(await answer(await it.dial()), /^HTTP\/1\.1 503 .*Retry-After: 1\r\n/s)
      assert.match(await answer(await it.dial('127.0.0.2')), /^HTTP\/1\.1 200 /)
      for (const socket of held) assert.match(await answer(socket), /^HTTP\/1\.1 200 /)
      const [first] = held
      first?.destroy()
      let late = ''
      while (!late.includes(' 200 ')) late = await answer(await it.dial())
      assert.equal(it.warnings.length, 1, 'the operator hears of many at once')
    },
  )

  test('in all, half a head and half a body included, whatever addresses they come from', bounded, async () => {
    await using it = await serving({ most: 4 })
    const slow = await Promise.all(['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'].map((from) => it.dial(from)))
    slow[0]?.write('GET / HT')
    slow[1]?.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nx')
    assert.match(await answer(await it.dial('127.0.0.5')), /^HTTP\/1\.1 503 /)
    assert.match(await answer(slow[2] as Socket), /^HTTP\/1\.1 200 /)
  })

  test('a trusted proxy is not counted as an address', bounded, async () => {
    await using it = await serving({ perAddress: 1, isProxy: (address) => address === '127.0.0.1' })
    for (let n = 0; n < 5; n++) assert.match(await answer(await it.dial()), /^HTTP\/1\.1 200 /)
  })

  test('over TLS it is closed before the handshake, and whoever has one goes on', bounded, async () => {
    await using it = await serving({ perAddress: 2 }, true)
    const tls = () => connectTls({ port: it.port, host: '127.0.0.1', rejectUnauthorized: false })
    const first = tls()
    await once(first, 'secureConnect')
    // Has not begun its handshake, and counts.
    await it.dial()
    const refused = tls()
    await assert.rejects(once(refused, 'secureConnect'))
    assert.match(await answer(first), /^HTTP\/1\.1 200 /)
    first.destroy()
  })
})
