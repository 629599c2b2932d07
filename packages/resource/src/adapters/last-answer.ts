/** The last answer on a connection: it arrives even while the client still sends. */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Milliseconds for which bytes from the client are still read, and discarded. */
const lingering = 2_000

/**
 * Sends an answer where no request could be read.
 * RFC 9112 §9.6: a connection that is closed while bytes of the client lie unread is reset, and the answer is lost.
 * Node goes on reading and reports a parse error for each further chunk: a second call then changes nothing.
 */
export function sendLastAnswer(socket: Duplex, text: string): void {
  if (socket.writableEnded) return
  if (!socket.writable) return void socket.destroy()
  socket.end(text)
  closeLater(socket)
}

/**
 * For an answer with `connection: close` while the body still arrives: Node would close as soon as the answer is sent.
 */
export function lingerAfterAnswer(socket: Socket): void {
  socket.destroySoon = () => {
    // Further bytes are not parsed as a request.
    socket.removeAllListeners('data').on('data', () => {})
    socket.end()
    closeLater(socket)
  }
}

function closeLater(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lingering).unref()
  socket.once('close', () => clearTimeout(timer))
}
