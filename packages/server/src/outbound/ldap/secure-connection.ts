/** Opens a TLS connection to an LDAP server: from the first byte, or by StartTLS (RFC 4511 §4.14) as first message. */
import { once } from 'node:events'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecurely, type SecureContext, type TLSSocket } from 'node:tls'
import type { LdapHost } from '@grantor/protocol/providers'

export interface LdapConnection {
  readonly host: LdapHost
  /** Already checked; tried in this order. */
  readonly addresses: readonly string[]
  readonly roots: SecureContext
  readonly signal: AbortSignal
}

/** Throws where no connection can be made; its sockets are closed then. */
export async function connectLdap({ host, addresses, roots, signal }: LdapConnection): Promise<TLSSocket> {
  const plain = await firstOf(addresses, host.port, signal)
  const end = () => plain.destroy()
  signal.addEventListener('abort', end)
  try {
    if (host.scheme === 'ldap') await startTls(plain)
    const secured = connectSecurely({
      socket: plain,
      // RFC 6066 §3: an IP address is not allowed as server name; the certificate is still checked against `host`.
      ...(isIP(host.host) === 0 ? { servername: host.host } : {}),
      host: host.host,
      secureContext: roots,
      // Explicit, because an environment variable could turn it off.
      rejectUnauthorized: true,
    })
    await once(secured, 'secureConnect', { signal })
    return secured
  } catch (cause) {
    plain.destroy()
    throw cause
  } finally {
    signal.removeEventListener('abort', end)
  }
}

async function firstOf(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  let last: unknown = new Error('no address')
  for (const host of addresses) {
    const socket = connectPlain({ host, port })
    try {
      await once(socket, 'connect', { signal })
      return socket
    } catch (cause) {
      socket.destroy()
      last = cause
    }
  }
  throw last
}

/** An extended request, message 1, with the name of StartTLS. */
const startTlsName = '1.3.6.1.4.1.1466.20037'
const startTlsRequest = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, startTlsName.length]),
  Buffer.from(startTlsName),
])
const longestAnswer = 1024

/**
 * Implemented here, because bytes that an attacker appends to the answer in plain text must not be taken as received
 * through TLS. So the answer must be complete, and the last bytes received.
 */
async function startTls(socket: Socket): Promise<void> {
  socket.write(startTlsRequest)
  let received = Buffer.alloc(0)
  while (lengthOf(received) === null || received.length < (lengthOf(received) ?? 0)) {
    const [part] = (await Promise.race([once(socket, 'data'), closed(socket)])) as [Buffer]
    received = Buffer.concat([received, part])
    if (received.length > longestAnswer) throw new Error('the answer to StartTLS is too long')
  }
  socket.pause()
  if (received.length !== lengthOf(received) || !isSuccess(received)) throw new Error('StartTLS was refused')
}

const closed = (socket: Socket): Promise<never> =>
  once(socket, 'close').then(() => Promise.reject(new Error('closed before TLS')))

/** X.690 §8.1.3: the length of a sequence with its header; null while the header is incomplete. */
function lengthOf(message: Buffer): number | null {
  if (message.length < 2) return null
  const first = message.readUInt8(1)
  if (first < 0x80) return 2 + first
  const octets = first & 0x7f
  if (octets < 1 || octets > 4) throw new Error('no LDAP message')
  return message.length < 2 + octets ? null : 2 + octets + message.readUIntBE(2, octets)
}

/** RFC 4511 §4.12: an extended response (24) to message 1, whose first member is the result code 0. */
function isSuccess(message: Buffer): boolean {
  const at = message.readUInt8(1) < 0x80 ? 2 : 2 + (message.readUInt8(1) & 0x7f)
  if (!message.subarray(at, at + 4).equals(Buffer.from([0x02, 0x01, 0x01, 0x78]))) return false
  const head = (message[at + 4] ?? 0) < 0x80 ? at + 5 : at + 5 + ((message[at + 4] ?? 0) & 0x7f)
  return message.subarray(head, head + 3).equals(Buffer.from([0x0a, 0x01, 0x00]))
}
