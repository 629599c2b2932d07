/**
 * Closes idle connections. Node itself would use a timer for each, reset with every request and packet; a periodic
 * check of all connections costs requests nothing.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Seconds, longer than the idle time of usual load balancers, so that these close first and no request meets a closing
 * socket.
 */
export const idleAfter = 65

export interface IdleLimits {
  /** Milliseconds without a byte in either direction; every answer begins sooner, and streams have a heartbeat. */
  readonly silence: number
  readonly checkEvery: number
}

interface Activity {
  bytes: number
  since: number
}

const usual: IdleLimits = { silence: idleAfter * 1000, checkEvery: 5_000 }

/** For TLS, connections count once their handshake is done; Node limits the handshake itself. */
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
