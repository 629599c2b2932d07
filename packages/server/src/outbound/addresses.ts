/** The addresses that connections of any protocol may go to: public, or of a host that the operator named. */
import { isIP } from 'node:net'
import type { OutboundError } from '@grantor/authority'
import { err, ok, type Result } from '@grantor/protocol/result'
import { isPublicAddress } from '@grantor/protocol/uri'
import { type Resolve, resolveBySystem } from './resolve.ts'

interface NamedHost {
  /** A name, or an address without brackets. */
  readonly host: string
  /** Whether the operator named it: its addresses may be private. */
  readonly allowed: boolean
}

const mostAddresses = 8

/** All addresses of the name; refused if any of them is not public, as such a name is not to be trusted. */
export async function addressesOf(
  { host, allowed }: NamedHost,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Result<readonly string[], OutboundError>> {
  if (isIP(host) !== 0) return allowed || isPublicAddress(host) ? ok([host]) : err('address')
  const found = await (allowed ? resolveBySystem : resolve)(host, signal)
  if (!allowed && !found.every(isPublicAddress)) return err('address')
  return found.length === 0 ? err(signal.aborted ? 'time' : 'unreachable') : ok(found.slice(0, mostAddresses))
}
