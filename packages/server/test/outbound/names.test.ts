/** The outbound against name servers: every address is checked, and the connection goes to a checked one. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { after, test } from 'node:test'
import { err } from '@grantor/protocol/result'
import { sendRequest } from '../../src/outbound/exchange.ts'
import { discard } from '../../src/outbound/receive.ts'
import { resolveByDns, type Resolve } from '../../src/outbound/resolve.ts'
import { outboundTo, openNameServer, openHttpsServer } from './test-servers.ts'

const server = await openHttpsServer({
  '/': (_request, response) => response.writeHead(200, { 'content-type': 'a/b' }).end(),
})
after(() => server[Symbol.asyncDispose]())

/** Public by every registry, and of a block that nobody was given: a connection to it ends nowhere. */
const nobodys = '2d00:dead::1'

const askFor = (name: string) => ({ url: `https://${name}:${server.port}/`, types: ['a/b'], maxBytes: 10 })

test('a name with one special address among public ones is refused, whichever family, and nothing is connected', async () => {
  const zone: Readonly<Record<string, readonly string[]>> = {
    'A mixed.grantor.dev': ['1.1.1.1', '127.0.0.1'],
    'A hidden.grantor.dev': ['1.1.1.1'],
    'AAAA hidden.grantor.dev': ['::1'],
    'AAAA mapped.grantor.dev': ['::ffff:7f00:1'],
    'A metadata.grantor.dev': ['169.254.169.254'],
  }
  await using names = await openNameServer((question) => zone[question] ?? [])
  const outbound = outboundTo(server, { resolve: resolveByDns([names.address], 30_000) })
  for (const name of ['mixed', 'hidden', 'mapped', 'metadata']) {
    assert.deepEqual(await outbound.fetch(askFor(`${name}.grantor.dev`)), err('address'), name)
    assert.deepEqual(await outbound.deliver(askFor(`${name}.grantor.dev`).url, {}), err('address'), name)
  }
  assert.equal(server.connections(), 0)
})

test('a name that turns to loopback after the check leads where the check was, and the next check refuses it', async () => {
  let looks = 0
  await using names = await openNameServer((question) => {
    if (looks > 0) return [question.startsWith('AAAA') ? '::1' : '127.0.0.1']
    return question.startsWith('AAAA') ? [nobodys] : []
  })
  const resolve: Resolve = async (name, signal) => {
    const found = await resolveByDns([names.address], 30_000)(name, signal)
    looks++
    return found
  }
  const outbound = outboundTo(server, { resolve })
  const targets: string[] = []
  const note = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket }
    socket.on('connectionAttempt', (address: string) => {
      targets.push(address)
      // Nobody answers there; the test need not wait for it.
      outbound.close()
    })
  }
  subscribe('net.client.socket', note)
  try {
    assert.equal((await outbound.fetch(askFor('rebind.grantor.dev'))).kind, 'error')
  } finally {
    unsubscribe('net.client.socket', note)
  }
  assert.deepEqual([looks, targets, server.connections()], [1, [nobodys], 0])
  const later = outboundTo(server, { resolve })
  assert.deepEqual(await later.fetch(askFor('rebind.grantor.dev')), err('address'))
  assert.equal(server.connections(), 0)
})

test('the connection goes to the address it was given, with the name it was asked for', async () => {
  const target = {
    host: 'pinned.grantor.dev',
    port: server.port,
    path: '/',
    authority: 'pinned.grantor.dev',
    allowed: false,
  }
  const signal = new AbortController().signal
  const request = {
    target,
    addresses: ['127.0.0.1'],
    accept: 'a/b',
    body: null,
    authorization: null,
    roots: server.roots,
    signal,
  }
  const answer = await sendRequest(request)
  assert.ok(answer.kind === 'ok', 'the certificate of the name was shown and believed')
  discard(answer.value)
})

test('a certificate for another name is no way to anybody', async () => {
  const target = {
    host: 'other.grantor.dev',
    port: server.port,
    path: '/',
    authority: 'other.grantor.dev',
    allowed: false,
  }
  const signal = new AbortController().signal
  const request = {
    target,
    addresses: ['127.0.0.1'],
    accept: 'a/b',
    body: null,
    authorization: null,
    roots: server.roots,
    signal,
  }
  assert.deepEqual(await sendRequest(request), err('unreachable'))
})

test('a name without addresses, and a name server that says nothing, are unreachable and out of time', async () => {
  await using names = await openNameServer(() => [])
  const outbound = outboundTo(server, { resolve: resolveByDns([names.address], 30_000) })
  assert.deepEqual(await outbound.fetch(askFor('absent.grantor.dev')), err('unreachable'))
  const silent = outboundTo(server, { resolve: () => new Promise(() => {}), deadline: 100 })
  assert.deepEqual(await silent.fetch(askFor('slow.grantor.dev')), err('time'))
})
