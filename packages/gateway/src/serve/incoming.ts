/** A request on its way through the gateway, with all that its answer needs. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Problem } from '@grantor/protocol/http'
import { err } from '@grantor/protocol/result'
import { type Reply, replyWithHeaders } from '@grantor/resource/http'
import { readNodeRequest } from '@grantor/resource/node'
import type { AccessDecision, AccessRequest, Admission } from '../access/access.ts'
import type { Route } from '../routing/routes.ts'
import type { Generation } from './generation.ts'
import type { FormedRequest } from './received-request.ts'

/** A request that is being answered. */
export interface Incoming {
  readonly generation: Generation
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly form: FormedRequest
  /** CORS headers, which every answer carries. */
  readonly shared: Readonly<Record<string, string>>
  notice(text: string): void
  answer(reply: Reply): void
  refuse(problem: Problem): void
  /** Sets the route for the metrics. */
  routed(route: Route): void
}

type Asked = Pick<Incoming, 'generation' | 'form' | 'request'>

export function accessRequest(asked: Asked): AccessRequest {
  const { form, request } = asked
  const { method, target, headers } = form
  const peer = request.socket.remoteAddress ?? null
  // Read only where a token is bound to a certificate.
  const certificate = () => readNodeRequest(request, null).certificate?.() ?? null
  const address = () => clientAddressOf(asked)
  return { method, target, lines: headers.lines, peer, address, certificate }
}

export const clientAddressOf = ({ generation, form, request }: Asked): string | null =>
  generation.clientAddress({ peer: request.socket.remoteAddress ?? null, lines: form.headers.lines })

/** The same request, whose answers all carry the headers about its quota. */
export function admitted(incoming: Incoming, { headers }: Admission): Incoming {
  const answer = (reply: Reply): void => incoming.answer(replyWithHeaders(reply, headers))
  return { ...incoming, answer, refuse: (refused) => answer(err(refused)) }
}

/** Acts synchronously if the decision is there already. */
export function whenDecided(
  decision: AccessDecision | Promise<AccessDecision>,
  act: (decision: AccessDecision) => Promise<void> | void,
): Promise<void> | void {
  return decision instanceof Promise ? decision.then(act) : act(decision)
}
