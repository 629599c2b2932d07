/** The last bytes of a connection: they arrive while the client still sends, and what it sends is no request any more. */
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { test } from 'node:test'
import { endsUpgraded, lastAnswerText } from '../../src/adapters/cut-socket.ts'
import { lingerAfterAnswer, sendLastAnswer } from '../../src/adapters/last-answer.ts'

/** One end of a connection: what was written to it, and what it is sent. */
function connection() {
  const written: Buffer[] = []
  const socket = new Duplex({
    read() {},
    write(chunk: Buffer, _, done) {
      written.push(chunk)
      done()
    },
    // As a socket that may be half open: whoever ends it may still be sent something.
    autoDestroy: false,
    allowHalfOpen: true,
  })
  return { socket, text: () => Buffer.concat(written).toString('latin1') }
}

const turn = () =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

test('the last answer is written whole, the client may go on sending for two seconds, and then the connection is gone', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { socket, text } = connection()
  sendLastAnswer(socket, 'HTTP/1.1 400 Bad Request\r\n\r\n')
  // Node tells of each further piece that it is no HTTP.
  sendLastAnswer(socket, 'again')
  await turn()
  assert.equal(text(), 'HTTP/1.1 400 Bad Request\r\n\r\n')
  t.mock.timers.tick(1999)
  assert.equal(socket.destroyed, false)
  t.mock.timers.tick(1)
  assert.equal(socket.destroyed, true)
})

test('a connection that cannot be written to is closed at once', () => {
  const { socket, text } = connection()
  socket.destroy()
  sendLastAnswer(socket, 'nothing')
  assert.equal(socket.destroyed, true)
  const broken = connection()
  Object.defineProperty(broken.socket, 'writable', { value: false })
  sendLastAnswer(broken.socket, 'nothing')
  assert.deepEqual([broken.socket.destroyed, text(), broken.text()], [true, '', ''])
})

test('RFC 9112 §9.6: after an answer to a body that still comes, what comes is taken in and is no request any more', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { socket } = connection()
  const parsed: string[] = []
  socket.on('data', (chunk: Buffer) => parsed.push(chunk.toString()))
  lingerAfterAnswer(socket as Socket)
  socket.push('body')
  await turn()
  ;(socket as Socket).destroySoon()
  socket.push('GET / HTTP/1.1')
  await turn()
  assert.deepEqual(parsed, ['body'])
  assert.deepEqual([socket.readableLength, socket.writableEnded, socket.destroyed], [0, true, false])
  t.mock.timers.tick(2000)
  assert.equal(socket.destroyed, true)
})

test('RFC 6455 §5.5.1: a Close frame is the last that is written, on whatever kind of connection, and none to one that is gone', async () => {
  const { socket, text } = connection()
  endsUpgraded(socket, 'expired')
  await turn()
  assert.equal(text(), '\x88\x0f\x03\xf0token_expired')
  assert.deepEqual([socket.writableEnded, socket.destroyed], [true, true])
  const soon = connection()
  let closes = 0
  endsUpgraded(Object.assign(soon.socket, { destroySoon: () => void (closes += 1) }), 'stale')
  assert.deepEqual([soon.text(), closes], ['\x88\x18\x03\xf0revocation_state_stale', 1])
  const gone = connection()
  gone.socket.destroy()
  endsUpgraded(gone.socket, 'revoked')
  assert.equal(gone.text(), '')
})

test('RFC 9112 §4: an answer past the response object is whole, and says that the connection closes', () => {
  assert.equal(
    lastAnswerText({ status: 401, headers: { 'x-a': '1', connection: 'keep-alive' }, body: '{}' }),
    'HTTP/1.1 401 Unauthorized\r\nx-a: 1\r\nconnection: close\r\n\r\n{}',
  )
  assert.equal(lastAnswerText({ status: 499, headers: {}, body: null }), 'HTTP/1.1 499 \r\nconnection: close\r\n\r\n')
})
