/** A refused authorization request, as the client is told of it (RFC 6749 §4.1.2.1). */
import type { Client } from '@grantor/protocol/registration'
import type { RefusalRecorder } from '../events.ts'
import { authorizationResponse, type RedirectTarget } from '@grantor/protocol/authorize'
import { type Refusal, refusalResponse } from '@grantor/protocol/oauth'
import { type Ok, ok } from '@grantor/protocol/result'
import type { InteractionResponse } from './response.ts'

export const refusalToClient = (
  to: Pick<RedirectTarget, 'redirectUri' | 'responseMode' | 'state'>,
  refusal: Refusal,
  issuer: string,
): Ok<InteractionResponse> =>
  ok({
    go: 'answer',
    response: authorizationResponse(to, issuer, { refusal, errorUri: pageOf(refusal, issuer) }),
  })

/** RFC 6749 §4.1.2.1: a page for the developer; all tenants share it. */
const pageOf = (refusal: Refusal, issuer: string): string =>
  new URL(`/problems/${refusalResponse(refusal).error}`, issuer).href

export interface DenialDependencies {
  readonly refusedRequests: RefusalRecorder
}

/** That a person said no, and to which client. */
export function recordDenial(
  to: { readonly client: Pick<Client, 'tenant' | 'id'> },
  { reason }: Refusal,
  { refusedRequests }: DenialDependencies,
): void {
  if (reason !== 'access_denied') return
  const { tenant, id: clientId } = to.client
  refusedRequests.record({ name: 'consent.denied', tenant, clientId, reason })
}
