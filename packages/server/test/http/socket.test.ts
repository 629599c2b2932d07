/** What only a real socket shows: TLS versions and suites, broken HTTP, bodies that are never read. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import type { Authority } from '@grantor/authority'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../../src/http/app.ts'
import { openClientCertificates } from '../../src/http/client-certificate.ts'
import { issuerFrom } from '../../src/issuer.ts'
import { localCertificate } from '../../src/tls/local-ca.ts'
import { defaultTheme } from '../../src/pages/theme/theme.ts'
import { noTracing } from '../../src/tracing/tracing.ts'
import { openMeters } from '../../src/metrics/meters.ts'
import { defaults } from '../config/default-settings.ts'
import { fakeAuthority } from './testbed.ts'

describe('over a socket', () => {
  let folder = ''
  let app: FastifyInstance
  let port = 0

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'grantor-socket-'))
    const shown = await localCertificate({ data: folder, names: ['localhost'], now: Date.now() })
    const context = {
      authority: fakeAuthority({ admin: {} as Authority['admin'] }),
      issuer: issuerFrom({ issuer: null, port: 0 }),
      proxies: null,
      certificates: openClientCertificates(null),
      connections: { most: 1000, perAddress: 1000, isProxy: () => false },
      encrypted: true,
      strictTransport: false,
      consoleClients: { ensure: async () => {} },
      draining: () => false,
      cursorSecret: new Uint8Array(32),
      meters: openMeters(),
      metrics: async () => '',
      log: pino({ level: 'silent' }),
      tracing: noTracing,
      theme: defaultTheme,
      demoSteps: { current: [] },
      settings: defaults(),
      store: { ping: async () => {}, untilDurable: async () => {} },
    }
    app = buildApp(context, shown)
    await app.listen({ host: '127.0.0.1', port: 0 })
    port = (app.server.address() as AddressInfo).port
  })
  after(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })

  const dial = async (options: ConnectionOptions = {}): Promise<TLSSocket> => {
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false, ...options })
    socket.on('error', () => {}) // A server that hangs up is part of what is tested.
    await once(socket, 'secureConnect')
    return socket
  }
  /** Sends, and reads until the server closes. */
  const talk = async (text: string): Promise<string> => {
    const socket = await dial()
    let heard = ''
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    socket.write(text)
    await once(socket, 'close')
    return heard
  }
  const post = (headers: string, body: string): string =>
    `POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n${headers}\r\n${body}`

  test('TLS 1.3 and 1.2 are spoken, older versions are not', async () => {
    assert.equal((await dial()).end().getProtocol(), 'TLSv1.3')
    assert.equal((await dial({ maxVersion: 'TLSv1.2' })).end().getProtocol(), 'TLSv1.2')
    await assert.rejects(dial({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }))
  })

  test('TLS 1.2 offers ECDHE with AES-GCM only', async () => {
    for (const ciphers of [
      'ECDHE-ECDSA-AES128-SHA256',
      'ECDHE-ECDSA-CHACHA20-POLY1305',
      'AES128-GCM-SHA256',
      'ECDHE-ECDSA-AES256-SHA',
    ]) {
      await assert.rejects(dial({ maxVersion: 'TLSv1.2', ciphers }), ciphers)
    }
    const socket = await dial({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' })
    assert.equal(socket.end().getCipher().standardName, 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256')
  })

  test('a body that announces too much is refused before a byte of it arrives', async () => {
    const heard = await talk(post('Content-Length: 1000000\r\n', ''))
    assert.match(heard, /^HTTP\/1\.1 413 /)
    assert.match(heard, /connection: close/i)
  })

  test('RFC 9110 §10.1.1: who asks before sending too much is told no, not to continue', async () => {
    const heard = await talk(post('Content-Length: 1000000\r\nExpect: 100-continue\r\n', ''))
    assert.match(heard, /^HTTP\/1\.1 413 /)
  })

  test('who asks before sending a fair body is told to go on', async () => {
    const socket = await dial()
    let heard = ''
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    socket.write(post('Content-Length: 29\r\nExpect: 100-continue\r\nConnection: close\r\n', ''))
    while (!heard.includes('100 Continue')) await once(socket, 'data')
    socket.write('grant_type=client_credentials')
    await once(socket, 'close')
    assert.match(heard, /HTTP\/1\.1 200 OK/)
  })

  test('RFC 9110 §10.1.1: an API that takes longer bodies says so, to a body of a mebibyte at most', async () => {
    const asking = async (path: string, length: number): Promise<string> => {
      const socket = await dial()
      socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`)
      const [first] = (await once(socket, 'data')) as [Buffer]
      socket.destroy()
      return first.toString().split('\r\n', 1).join('')
    }
    for (const path of ['/v1/users', '/t/acme/scim/v2/Bulk']) {
      assert.equal(await asking(path, 1_048_576), 'HTTP/1.1 100 Continue', path)
      assert.notEqual(await asking(path, 1_048_577), 'HTTP/1.1 100 Continue', path)
    }
  })

  test('a chunked body is cut off at the limit', async () => {
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`
    assert.match(await talk(post('Transfer-Encoding: chunked\r\n', chunk + chunk + chunk)), /^HTTP\/1\.1 413 /)
  })

  test('broken HTTP after a good request on the same connection is answered too', async () => {
    const socket = await dial()
    let heard = ''
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    socket.write(post('Content-Length: 29\r\n', 'grant_type=client_credentials'))
    while (!heard.includes('a-token')) await once(socket, 'data')
    socket.write('hello\r\n\r\n')
    await once(socket, 'close')
    assert.match(heard, /^HTTP\/1\.1 200 [^]*HTTP\/1\.1 400 /)
  })

  const broken: readonly (readonly [string, string, number])[] = [
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a method nobody knows', 'FROB /token HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['HTTP/0.9', 'GET /jwks\r\n\r\n', 400],
    ['no Host', 'GET /jwks HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'headers that go on after they are refused',
      `GET /jwks HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(2e6)}\r\n\r\n`,
      431,
    ],
    ['a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n', 400],
    ['headers over 16 KiB', `GET /jwks HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['length and chunks at once', post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), 400],
    ['two Hosts', 'GET /jwks HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n', 400],
    ['two Hosts apart', 'GET /jwks HTTP/1.1\r\nHost: localhost\r\nX: y\r\nhOSt: evil.example\r\n\r\n', 400],
    ['two Hosts of HTTP/1.0', 'GET /jwks HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['a Host that is a list', 'GET /jwks HTTP/1.1\r\nHost: localhost, evil.example\r\n\r\n', 400],
    ['an empty Host', 'GET /jwks HTTP/1.1\r\nHost:\r\n\r\n', 400],
    ['a Host with a user', 'GET /jwks HTTP/1.1\r\nHost: a@localhost\r\n\r\n', 400],
    ['a Host with a path', 'GET /jwks HTTP/1.1\r\nHost: localhost/x\r\n\r\n', 400],
    ['a target of another host', 'GET https://evil.example/jwks HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['a coding that nobody asked for', post('Transfer-Encoding: gzip\r\n', ''), 400],
    ['a coding before chunks', post('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'), 400],
    ['chunks of chunks', post('Transfer-Encoding: chunked, chunked\r\n', '0\r\n\r\n'), 400],
    ['two codings', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n'), 400],
    ['the coding identity', post('Transfer-Encoding: identity\r\n', ''), 400],
    ['a coding that ends like chunked', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'), 400],
    ['chunks of HTTP/1.0', 'POST /token HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['one length twice', post('Content-Length: 3\r\nContent-Length: 3\r\n', 'a=b'), 400],
    ['two lengths', post('Content-Length: 5\r\nContent-Length: 6\r\n', 'a=b&cd'), 400],
    ['a negative length', post('Content-Length: -5\r\n', 'a=b'), 400],
    ['a chunk size that is none', post('Transfer-Encoding: chunked\r\n', 'zz\r\n\r\n'), 400],
    ['a header with a null', 'GET /jwks HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n', 400],
    ['an obsolete line fold', 'GET /jwks HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\nConnection: close\r\n\r\n', 400],
  ]
  for (const [what, text, status] of broken) {
    test(`${what} is answered ${status}, and the next caller is served`, async () => {
      const heard = await talk(text)
      assert.match(heard, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.match(heard, /\r\nCache-Control: no-store\r\n/)
      assert.equal((JSON.parse(heard.split('\r\n\r\n')[1] ?? '') as { error: string }).error, 'invalid_request')
      assert.doesNotMatch(heard, /HPE_|llhttp|node|fastify/i)
      const control = await talk(post('Content-Length: 29\r\nConnection: close\r\n', 'grant_type=client_credentials'))
      assert.match(control, /^HTTP\/1\.1 200 /)
    })
  }
})
