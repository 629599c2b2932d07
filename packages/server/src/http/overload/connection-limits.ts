/**
 * Limits the connections of a listener, in all and from one address: each costs memory before its client is known (over
 * TLS some 60 KB, before the handshake 20). Connections beyond the limits are refused before the handshake, cheaply.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey } from '@grantor/authority'
import type { Logger } from 'pino'
import { plainAddress } from '@grantor/resource/addresses'

export interface ConnectionLimits {
  readonly most: number
  readonly perAddress: number
  /** Proxies are exempt from `perAddress`, because they connect for many clients. */
  isProxy(address: string): boolean
}

/** Milliseconds between reports to the operator, each with the number of refused connections. */
const reportEvery = 60_000

const refusal = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

interface LimitedServer {
  readonly server: Server
  /** With TLS no answer is possible before the handshake, so the connection is only closed. */
  readonly encrypted: boolean
  readonly log: Pick<Logger, 'warn'>
}

/** Called after all other listeners for connections were added, because it runs before them. */
export function limitConnections({ server, encrypted, log }: LimitedServer, limits: ConnectionLimits): void {
  const admit = server.listeners('connection') as ((socket: Socket) => void)[]
  const byAddress = new Map<string, number>()
  const report = refusalReport(log, limits)
  let all = 0
  const accept = (socket: Socket, key: string | null): void => {
    all += 1
    if (key !== null) byAddress.set(key, (byAddress.get(key) ?? 0) + 1)
    socket.once('close', () => {
      all -= 1
      if (key === null) return
      const left = (byAddress.get(key) ?? 1) - 1
      if (left === 0) byAddress.delete(key)
      else byAddress.set(key, left)
    })
    for (const listener of admit) listener.call(server, socket)
  }
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress === undefined ? null : plainAddress(socket.remoteAddress)
    const key = address === null || limits.isProxy(address) ? null : addressKey(address)
    const over =
      all >= limits.most ? 'most' : (byAddress.get(key ?? '') ?? 0) >= limits.perAddress ? 'perAddress' : null
    if (over === null) return accept(socket, key)
    report(over)
    socket.on('error', () => {})
    return encrypted ? void socket.destroy() : void socket.end(refusal, () => socket.destroy())
  })
}

function refusalReport(log: LimitedServer['log'], { most, perAddress }: ConnectionLimits) {
  const refused = { most: 0, perAddress: 0 }
  let reportedAt = -Infinity
  return (over: keyof typeof refused): void => {
    refused[over] += 1
    const now = performance.now()
    if (now - reportedAt < reportEvery) return
    reportedAt = now
    const settings = { 'connections.most': most, 'connections.per_address': perAddress }
    log.warn(
      { refused_in_all: refused.most, refused_by_address: refused.perAddress, ...settings },
      'connections refused',
    )
    refused.most = 0
    refused.perAddress = 0
  }
}
