/** The last bytes on a connection whose token is over. */
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

/** RFC 6455 §7.4.1: what came is fine, but may not go on. */
const policyViolation = 1008

/**
 * RFC 6455 §5.5.1: a Close frame of a server, unmasked. It may stand between any two frames, and whoever writes to the
 * socket writes whole ones.
 */
export function endsUpgraded(socket: Duplex, ending: Ending): void {
  if (socket.destroyed || socket.writableEnded) return
  const reason = Buffer.from(reasons[ending])
  const code = [policyViolation >> 8, policyViolation & 0xff]
  socket.write(Buffer.from([0x88, reason.length + 2, ...code, ...reason]))
  if ('destroySoon' in socket && typeof socket.destroySoon === 'function') socket.destroySoon()
  else socket.end(() => socket.destroy())
}

/** A whole answer past the response object, after which the connection closes. */
export function lastAnswerText({ status, headers, body }: ApiResponse): string {
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body ?? ''].join('\r\n')
}
