/** The last answer on a connection: it arrives even while the client still sends. */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Milliseconds that what a client sends is still taken in, and thrown away. */
const lingering = 2_000

/**
 * Written where no request could be read.
 * RFC 9112 §9.6: a connection that is closed while bytes of the client lie unread is reset, and the answer lost with it.
 * Node goes on reading, and tells of each further piece that it is no HTTP: such a call changes nothing.
 */
export function sendLastAnswer(socket: Duplex, text: string): void {
  if (socket.writableEnded) return
  if (!socket.writable) return void socket.destroy()
  socket.end(text)
  closeLater(socket)
}

/** Before an answer that says `connection: close` to a body which is still coming: Node would close as soon as it is out. */
export function lingerAfterAnswer(socket: Socket): void {
  socket.destroySoon = () => {
    // What follows is no request any more.
    socket.removeAllListeners('data').on('data', () => {})
    socket.end()
    closeLater(socket)
  }
}

function closeLater(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lingering).unref()
  socket.once('close', () => clearTimeout(timer))
}
