/** What a route is: a path, its methods, and a handler made once for its responder. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Responder } from '../http/responder.ts'
import type { FastHandler } from '../http/fast-path.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Route {
  /** Under the issuer. */
  readonly path: string
  readonly methods: readonly Method[]
  readonly cors: boolean
  /** Where it is: at the root and under every tenant, at the root only, or at RFC 8414's inserted well-known address. */
  readonly at: 'every issuer' | 'root' | 'inserted'
  handler(responder: Responder): (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>
  /** The same where nothing of Fastify is needed: then plain requests take the fast path. */
  fastHandler?(responder: Responder): FastHandler
}

/** The addresses of a route, as Fastify writes them. */
export function addressesOf({ path, at }: Route): readonly string[] {
  if (at === 'root') return [path]
  return at === 'every issuer' ? [path, `/t/:tenant${path}`] : [path, `/t/:tenant${path}`, `${path}/t/:tenant`]
}
