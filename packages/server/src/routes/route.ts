/** What a route is: a path, its methods, and a handler made once, with what it uses of the deployment. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastHandler } from '../http/fast-path.ts'
import type { HttpContext } from '../http/http-context.ts'
import type { Responder } from '../http/responder.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What a handler may take by name. */
export interface RouteContext extends Pick<
  HttpContext,
  'authority' | 'certificates' | 'consoleClients' | 'issuer' | 'meters' | 'metrics' | 'draining' | 'theme'
> {
  readonly responder: Responder
}

export interface Route {
  /** Under the issuer. */
  readonly path: string
  readonly methods: readonly Method[]
  readonly cors: boolean
  /** Where it is: at the root and under every tenant, at the root only, or at RFC 8414's inserted well-known address. */
  readonly at: 'every issuer' | 'root' | 'inserted'
  handler(context: RouteContext): (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>
  /** The same where nothing of Fastify is needed: then plain requests take the fast path. */
  fastHandler?(context: RouteContext): FastHandler
}

/** The addresses of a route, as Fastify writes them. */
export function addressesOf({ path, at }: Route): readonly string[] {
  if (at === 'root') return [path]
  return at === 'every issuer' ? [path, `/t/:tenant${path}`] : [path, `/t/:tenant${path}`, `${path}/t/:tenant`]
}
