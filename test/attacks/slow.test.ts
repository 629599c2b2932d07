/** Connections that trickle, idle or pile up hold their own sockets and nobody else's service. */
import assert from 'node:assert/strict'
import { connect as connectPlain } from 'node:net'
import { test } from 'node:test'
import { authorizePath } from './browser.ts'
import { assertServes } from './assert-safe.ts'
import { deploy } from './deployment.ts'

const connections = 300

test('three hundred connections that idle, trickle headers or trickle bodies stop no legal request', async () => {
  await using deployment = await deploy()
  const { http, server } = deployment
  const sockets = await Promise.all(Array.from({ length: connections }, () => http.open()))
  const closed = sockets.map((socket) => new Promise<void>((over) => socket.on('error', () => {}).once('close', over)))
  const openings = [
    '',
    'GET /jwks HTTP/1.1\r\nHost: localhost\r\nX: ',
    'POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\na=',
    'POST /authorize HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n1',
  ]
  for (const [i, socket] of sockets.entries()) socket.write(openings[i % openings.length] ?? '')
  // Handshakes that never begin, on top.
  const silent = Array.from({ length: 50 }, () =>
    connectPlain({ port: http.port, host: '127.0.0.1' }).on('error', () => {}),
  )
  try {
    for (let round = 0; round < 30; round++) {
      for (const socket of sockets) if (socket.writable) socket.write('a')
      await assertServes(http)
      assert.equal((await http.send('/jwks')).status, 200)
      assert.equal((await http.send(authorizePath())).status, 303)
    }
    assert.equal((await fetch(`http://127.0.0.1:${server.managementPort}/health/ready`)).status, 200)
  } finally {
    for (const socket of [...sockets, ...silent]) socket.destroy()
  }
  await Promise.all(closed)
  await assertServes(http)
})

test('a request whose headers do not arrive is answered 408 and its connection closed', async () => {
  await using deployment = await deploy()
  const answer = await deployment.http.raw('GET /jwks HTTP/1.1\r\nHost: localhost\r\nX: ')
  assert.equal(answer?.status, 408)
  await assertServes(deployment.http)
})

test('a reader that never reads its answers does not stop others', async () => {
  await using deployment = await deploy()
  const { http } = deployment
  const socket = await http.open()
  socket.on('error', () => {}).pause()
  // Far more answers than any buffer between us holds.
  for (let i = 0; i < 200; i++) socket.write('GET /problems HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100))
  for (let i = 0; i < 50; i++) await assertServes(http)
  socket.destroy()
  await assertServes(http)
})
