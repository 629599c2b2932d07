/** The API behind: its connections, and the problems when it does not answer as it should. */
import { problem, type Problem } from '@grantor/protocol/http'
import { Pool } from 'undici'
import type { LimitsPlan } from '../config/gateway-plan.ts'

export interface UpstreamOptions {
  readonly origin: string
  readonly ca: string | null
  readonly limits: LimitsPlan
}

/** HTTP/1.1 over a pool of persistent connections, without pipelining. */
export function connectUpstream({ origin, ca, limits }: UpstreamOptions): Pool {
  return new Pool(origin, {
    connections: limits.connections,
    pipelining: 1,
    allowH2: false,
    headersTimeout: limits.firstByte * 1000,
    bodyTimeout: limits.idle * 1000,
    keepAliveTimeout: 4000,
    connect: { timeout: 5000, ...(ca === null ? {} : { ca }) },
  })
}

/** A body without a stated length that exceeded the limit on its way through. */
export class BodyTooLarge extends Error {}

/** The problem for the client; only the operator is told which address failed and how. */
export function upstreamProblem(error: unknown, bodyLimit: number): Problem {
  if (error instanceof BodyTooLarge) return tooLarge(bodyLimit)
  const code = (error as { readonly code?: unknown }).code
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return problem('upstream-timeout', 'The API behind this gateway did not answer in time.')
  return problem('bad-gateway', 'The API behind this gateway cannot be reached, or its answer cannot be read.')
}

export const tooLarge = (limit: number): Problem =>
  problem('payload-too-large', `A body has at most ${limit} bytes.`, { headers: { connection: 'close' } })

/** An error as text for the operator, without any part of the request. */
export function faultText(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return [code, message].filter((part) => typeof part === 'string' && part !== '').join(': ') || 'unknown error'
}
