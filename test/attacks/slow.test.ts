/** Connections that trickle, idle or pile up hold their own sockets and nobody else's service. */
import assert from 'node:assert/strict'
import { connect as connectPlain } from 'node:net'
import { test } from 'node:test'
import { authorizePath } from './browser.ts'
import { assertServes } from './assert-safe.ts'
import { setStage } from './deployment.ts'

const crowd = 300

test('three hundred connections that idle, trickle headers or trickle bodies stop no legal request', async () => {
  await using stage = await setStage()
  const { door, server } = stage
  const sockets = await Promise.all(Array.from({ length: crowd }, () => door.open()))
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
    connectPlain({ port: door.port, host: '127.0.0.1' }).on('error', () => {}),
  )
  try {
    for (let round = 0; round < 30; round++) {
      for (const socket of sockets) if (socket.writable) socket.write('a')
      await assertServes(door)
      assert.equal((await door.knock('/jwks')).status, 200)
      assert.equal((await door.knock(authorizePath())).status, 303)
    }
    assert.equal((await fetch(`http://127.0.0.1:${server.managementPort}/health/ready`)).status, 200)
  } finally {
    for (const socket of [...sockets, ...silent]) socket.destroy()
  }
  await Promise.all(closed)
  await assertServes(door)
})

test('a request whose headers do not arrive is answered 408 and its connection closed', async () => {
  await using stage = await setStage()
  const answer = await stage.door.raw('GET /jwks HTTP/1.1\r\nHost: localhost\r\nX: ')
  assert.equal(answer?.status, 408)
  await assertServes(stage.door)
})

test('a reader that never reads its answers does not stop others', async () => {
  await using stage = await setStage()
  const { door } = stage
  const socket = await door.open()
  socket.on('error', () => {}).pause()
  // Far more answers than any buffer between us holds.
  for (let i = 0; i < 200; i++) socket.write('GET /problems HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100))
  for (let i = 0; i < 50; i++) await assertServes(door)
  socket.destroy()
  await assertServes(door)
})
