/** The last bytes on a connection whose token has ended. */
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ApiResponse } from '../http/response.ts'
import type { Ending } from '../validate/ending.ts'
import type { RejectionCode } from '../validate/rejections.ts'

const reasons: Readonly<Record<Ending, RejectionCode>> = {
  expired: 'token_expired',
  revoked: 'token_revoked',
  stale: 'revocation_state_stale',
}

/** RFC 6455 §7.4.1: the messages were well formed, but policy does not allow more of them. */
const policyViolation = 1008

/**
 * RFC 6455 §5.5.1: a Close frame of a server, unmasked. It may stand between any two frames, and WebSocket libraries
 * write whole frames to the socket.
 */
export function endsUpgraded(socket: Duplex, ending: Ending): void {
  if (socket.destroyed || socket.writableEnded) return
  const reason = Buffer.from(reasons[ending])
  const code = [policyViolation >> 8, policyViolation & 0xff]
  socket.write(Buffer.from([0x88, reason.length + 2, ...code, ...reason]))
  if ('destroySoon' in socket && typeof socket.destroySoon === 'function') socket.destroySoon()
  else socket.end(() => socket.destroy())
}

/** A complete HTTP response as text, to be written to the socket itself; the connection closes after it. */
export function lastAnswerText({ status, headers, body }: ApiResponse): string {
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body ?? ''].join('\r\n')
}
