/**
 * Closes connections over which nothing moves. Node's own way is a timer for each of them, set anew with every request
 * and every packet; one look at all of them now and then costs a request nothing.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** In seconds; longer than the idle time of usual balancers, so that they close first and no request meets a closing socket. */
export const idleAfter = 65

export interface IdleLimits {
  /** Milliseconds without a byte in either direction; no answer of ours takes as long to begin, and streams have a heartbeat. */
  readonly silence: number
  readonly checkEvery: number
}

interface Activity {
  bytes: number
  since: number
}

const usual: IdleLimits = { silence: idleAfter * 1000, checkEvery: 5_000 }

/** Of a TLS server the connections are those whose handshake is done; Node bounds the handshake itself. */
export function closeIdle(server: Server, opened: 'connection' | 'secureConnection', limits = usual): void {
  const all = new Map<Socket, Activity>()
  const look = (): void => {
    const now = performance.now()
    for (const [socket, seen] of all) {
      const bytes = socket.bytesRead + socket.bytesWritten
      if (bytes !== seen.bytes) Object.assign(seen, { bytes, since: now })
      else if (now - seen.since >= limits.silence) socket.destroy()
    }
  }
  server.on(opened, (socket: Socket) => {
    all.set(socket, { bytes: 0, since: performance.now() })
    socket.once('close', () => all.delete(socket))
  })
  server.once('listening', () => {
    const timer = setInterval(look, limits.checkEvery).unref()
    server.once('close', () => clearInterval(timer))
  })
}
