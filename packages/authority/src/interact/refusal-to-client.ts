/** Tells the client, or the person in its place, that an authorization request was refused (RFC 6749 §4.1.2.1). */
import type { Client } from '@grantor/protocol/registration'
import type { RefusalRecorder } from '../events.ts'
import type { RedirectTarget } from '@grantor/protocol/authorize'
import { type Refusal, refusalResponse } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import { type AnswerDependencies, answerTo } from '../authorize/answer.ts'
import { displayedClient } from './display.ts'
import type { InteractionResult } from './response.ts'
import { mayRedirect, type RedirectDependencies } from './unvouched-redirect.ts'
import { accountsOf, type AccountDependencies, type Visitor } from './visitor.ts'

export type RefusalDependencies = AccountDependencies & RedirectDependencies & AnswerDependencies

export async function refuseClient(
  to: Pick<RedirectTarget, 'client' | 'redirectUri' | 'responseMode' | 'state'>,
  { refusal, visitor }: { readonly refusal: Refusal; readonly visitor: Visitor },
  deps: RefusalDependencies,
): Promise<InteractionResult> {
  const { client, redirectUri } = to
  const catalogue = await deps.directory.catalogue(visitor.tenant)
  if (catalogue === null) return err({ reason: 'tenant_unknown' })
  const errorUri = pageOf(refusal, deps.issuers.issuerOf(visitor.tenant))
  const response = await answerTo(to, { refusal, errorUri }, catalogue, deps)
  return (await mayRedirect(client, () => accountsOf(visitor, deps), deps))
    ? ok({ go: 'answer', response })
    : ok({ go: 'unredirected', response, refusal, redirectUri, client: displayedClient(client, redirectUri) })
}

/** RFC 6749 §4.1.2.1, `error_uri`: a page for the developer, shared by all tenants. */
const pageOf = (refusal: Refusal, issuer: string): string =>
  new URL(`/problems/${refusalResponse(refusal).error}`, issuer).href

export interface DenialDependencies {
  readonly refusedRequests: RefusalRecorder
}

/** Records that a person denied a client's request. */
export function recordDenial(
  to: { readonly client: Pick<Client, 'tenant' | 'id'> },
  { reason }: Refusal,
  { refusedRequests }: DenialDependencies,
): void {
  if (reason !== 'access_denied') return
  const { tenant, id: clientId } = to.client
  refusedRequests.record({ name: 'consent.denied', tenant, clientId, reason })
}
