/**
 * Limits how many requests are handled at once. One more would only delay all of them, so it is refused at once with
 * `Retry-After`. Each kind has its own limit, so that a flood of sign-ins leaves room for tokens, and vice versa.
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

/**
 * Requests served from memory, long streams, and those that must always be answered. Paths in no list count as
 * `people`.
 */
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

/** The path as the router decodes it (RFC 3986 §6.2.2.2); one that cannot be decoded matches no route. */
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

/**
 * These APIs authenticate the caller before they read a body, so unknown callers cannot occupy a place with a slow one.
 */
export const readsItsOwnBody = (url: string): boolean => kindOf(url) === 'administration'

/** Milliseconds between reports to the operator, each with the number of refused requests. */
const reportEvery = 60_000

export interface Admission {
  /** False: refuse the request. Otherwise it occupies a place until its answer is sent or its sender is gone. */
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
