/**
 * How many requests are worked on at once. Beyond that one more would only make all of them late, so it is told at once
 * to come again. Each kind counts for itself: a storm of sign-ins leaves the tokens their room, and the other way round.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type EndpointName, endpointPath } from '@grantor/protocol/documents'
import type { Refusal } from '@grantor/protocol/oauth'
import { ssfEndpoints } from '@grantor/protocol/ssf'
import type { Logger } from 'pino'
import { Places } from './places.ts'
import { retryAfter } from './resting-connections.ts'

const kinds = ['clients', 'introspection', 'people', 'administration'] as const
type RequestKind = (typeof kinds)[number]

export const overloaded: Refusal = { reason: 'overloaded', retryAfter: retryAfter / 1000 }

/** What comes from memory, lasts, or must be answered when all else is not; the rest that is not here is people's. */
const uncounted: readonly string[] = [
  endpointPath.jwks,
  '/revocations',
  endpointPath.statusLists,
  '/.well-known',
  '/assets',
  '/metrics',
]

const clientEndpoints: readonly EndpointName[] = [
  'token',
  'revocation',
  'deviceAuthorization',
  'pushedAuthorization',
  'backchannelAuthentication',
  'registration',
]

const kindsOfPaths: readonly (readonly [string, RequestKind | null])[] = [
  ...clientEndpoints.map((name) => [endpointPath[name], 'clients'] as const),
  [endpointPath.introspection, 'introspection'],
  [endpointPath.userinfo, 'introspection'],
  [endpointPath.adminApi, 'administration'],
  [endpointPath.scim, 'administration'],
  [ssfEndpoints.poll, null],
  [endpointPath.sharedSignals, 'administration'],
  ...uncounted.map((path) => [path, null] as const),
]

const tenantPrefix = /^\/t\/[^/?]*/

/** As the router reads it (RFC 3986 §6.2.2.2); what cannot be decoded leads nowhere. */
function decodedPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

export function kindOf(url: string): RequestKind | null {
  const spelled = url.includes('%') ? decodedPath(url) : url
  const path = spelled.startsWith('/t/') ? spelled.replace(tenantPrefix, '') : spelled
  for (const [prefix, kind] of kindsOfPaths) {
    if (!path.startsWith(prefix)) continue
    const next = path.charAt(prefix.length)
    if (next === '' || next === '/' || next === '?') return kind
  }
  return 'people'
}

/** These look at who asks before they read a body, by their own rules: nobody unknown dawdles there. */
export const readsItsOwnBody = (url: string): boolean => kindOf(url) === 'administration'

/** The operator hears of it once in so many milliseconds, with how many it were. */
const reportEvery = 60_000

export interface Admission {
  /** False: turned away. Else it has its place until its answer is out or its sender is gone. */
  admit(request: IncomingMessage, response: ServerResponse): boolean
}

export function openAdmission(most: number, log: Pick<Logger, 'warn'>): Admission {
  const places = Object.fromEntries(kinds.map((kind) => [kind, new Places(most)])) as Readonly<
    Record<RequestKind, Places>
  >
  const report = refusalReport(most, log)
  return {
    admit({ url = '', socket }, response) {
      const kind = kindOf(url)
      if (kind === null) return true
      if (!places[kind].take(socket)) {
        report(kind)
        return false
      }
      response.once('close', () => places[kind].free())
      return true
    },
  }
}

function refusalReport(most: number, log: Pick<Logger, 'warn'>): (kind: RequestKind) => void {
  const refused: Partial<Record<RequestKind, number>> = {}
  let reportedAt = -Infinity
  return (kind) => {
    refused[kind] = (refused[kind] ?? 0) + 1
    const now = performance.now()
    if (now - reportedAt < reportEvery) return
    reportedAt = now
    log.warn(
      { refused: { ...refused }, 'requests.in_flight': most },
      'requests refused: more at once than can be served',
    )
    for (const one of kinds) delete refused[one]
  }
}
