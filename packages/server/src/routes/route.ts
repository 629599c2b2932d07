/** A route: a path, its methods, and a handler made once from the dependencies it uses. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastHandler } from '../http/fast-path.ts'
import type { HttpContext } from '../http/http-context.ts'
import type { Responder } from '../http/responder.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The dependencies that a handler may use. */
export interface RouteContext extends Pick<
  HttpContext,
  'authority' | 'certificates' | 'consoleClients' | 'issuer' | 'meters' | 'metrics' | 'draining' | 'theme'
> {
  readonly responder: Responder
}

export interface Route {
  /** The path under the issuer. */
  readonly path: string
  readonly methods: readonly Method[]
  readonly cors: boolean
  /**
   * Its places: at the root and under every tenant, at the root only, or also at RFC 8414's inserted well-known path.
   */
  readonly at: 'every issuer' | 'root' | 'inserted'
  handler(context: RouteContext): (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>
  /** The same handler without Fastify: then plain requests take the fast path. */
  fastHandler?(context: RouteContext): FastHandler
}

/** The paths of a route in Fastify's notation. */
export function addressesOf({ path, at }: Route): readonly string[] {
  if (at === 'root') return [path]
  return at === 'every issuer' ? [path, `/t/:tenant${path}`] : [path, `/t/:tenant${path}`, `${path}/t/:tenant`]
}
