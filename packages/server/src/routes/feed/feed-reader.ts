/** Admits readers of the revocation feed, by a token with the scope of the feed. */
import type { FeedReaderName } from '@grantor/authority'
import { feedScope } from '@grantor/protocol/feed'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { admit } from '../../http/bearer.ts'
import type { RouteContext } from '../route.ts'

export interface FeedReader extends FeedReaderName {
  /** Checks the token again. */
  admission(): ReturnType<typeof admit>
}

/** The admitted reader and its tenant; undefined where the request was refused, and answered, already. */
export async function feedReaderOf(
  {
    responder,
    issuer,
    authority,
    certificates,
  }: Pick<RouteContext, 'responder' | 'issuer' | 'authority' | 'certificates'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FeedReader | undefined> {
  const named = responder.tenant(request)
  if (named.kind === 'error') return void responder.refuse(reply, named.error)
  const tenant = named.value
  const needs = { tenant, scope: feedScope, audience: issuer.of(tenant), alias: issuer.mtlsOf(tenant) }
  const deps = { authority, certificates }
  const admission = () => admit(request.raw, { ...needs, proven: true }, deps)
  const first = await admit(request.raw, needs, deps)
  if (first.kind === 'ok') return { tenant, clientId: first.value, admission }
  return void responder.send(reply, first.error.status, null, { ...first.error.headers, 'cache-control': 'no-store' })
}
