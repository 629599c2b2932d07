/** GET and POST /authorize, without HTTP: redirectTarget? acceptable? Then it is answered, or an interaction is opened. */
import {
  acceptAuthorizationRequest,
  type AuthorizationRequest,
  type RedirectTarget,
  redirectTarget,
} from '@grantor/protocol/authorize'
import { isClientId } from '@grantor/protocol/client-auth'
import type { Catalogue, Form, Refusal } from '@grantor/protocol/oauth'
import { type Client, isDocumentId, registrationPolicy } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import { type ClientDocumentDependencies, documentClient } from '../clients/document.ts'
import type { RefusalRecorder } from '../events.ts'
import { type HintDependencies, idTokenHint } from '../tokens/id-token-hint.ts'
import { interactionLimitReached } from '../limits/interaction-limit.ts'
import { refuseClient, type RefusalDependencies } from './refusal-to-client.ts'
import type { InteractionResult } from './response.ts'
import { sealInteraction, type SealedInteractionDependencies } from './sealed-interaction.ts'
import { answerSilently, noBrowser, type SilentDependencies } from './silent.ts'
import type { Visitor } from './visitor.ts'

export type AuthorizationDependencies = ClientDocumentDependencies &
  HintDependencies &
  SealedInteractionDependencies &
  SilentDependencies &
  RefusalDependencies & { readonly refusedRequests: RefusalRecorder }

/** `cookieless`: the browser may have cookies that it kept from this request, a form of another site. */
export type AskingVisitor = Visitor & { readonly cookieless?: boolean }

export async function beginAuthorization(
  form: Form,
  visitor: AskingVisitor,
  deps: AuthorizationDependencies,
): Promise<InteractionResult | 'stale'> {
  const catalogue = await deps.directory.servedCatalogue(visitor.tenant)
  if (catalogue === null) return err({ reason: 'tenant_unknown' })
  const client = await clientOf(form, { visitor, catalogue }, deps)
  if (client.kind === 'error') return client
  const addressed = redirectTarget(form, client.value, deps.policy.addresses)
  if (addressed.kind === 'error') {
    const { reason } = addressed.error
    const clientId = client.value?.id ?? null
    deps.refusedRequests.record({ name: 'redirect_uri.refused', tenant: visitor.tenant, clientId, reason })
    return addressed
  }
  const hint = await hintOf(form.get('id_token_hint'), { client: addressed.value.client, catalogue }, deps)
  const issuer = deps.issuers.issuerOf(visitor.tenant)
  const request = acceptAuthorizationRequest(form, addressed.value, { catalogue, issuer, policy: deps.policy, hint })
  if (request.kind === 'error') return refuseClient(addressed.value, { refusal: request.error, visitor }, deps)
  return request.value.prompt.includes('none') && visitor.cookieless !== true
    ? answerSilently(request.value, visitor, deps)
    : openInteraction({ ...addressed.value, request: request.value }, visitor, deps)
}

/** Nobody is refused on memory alone. */
async function clientOf(
  form: Form,
  { visitor, catalogue }: { readonly visitor: Visitor; readonly catalogue: Catalogue },
  deps: AuthorizationDependencies,
): Promise<Result<Client | null, Refusal>> {
  const { directory, policy } = deps
  const id = form.get('client_id')
  if (id === undefined || !isClientId(id)) return ok(null)
  const { metadataDocuments } = registrationPolicy(policy.registration, catalogue.tenant)
  if (metadataDocuments && isDocumentId(id)) return documentClient({ id, origin: visitor, catalogue }, deps)
  const client = await directory.client(visitor.tenant, id)
  // Documents were switched off after this one came.
  return client?.origin === 'document' ? ok(null) : ok(client)
}

/** OIDC Core §3.1.2.1: an ID token of ours for this client, even an expired one, names who is meant. */
async function hintOf(
  text: string | undefined,
  { client, catalogue }: { readonly client: Client; readonly catalogue: Catalogue },
  deps: HintDependencies,
) {
  const hint = await idTokenHint(text, catalogue, deps)
  if (hint === 'absent') return hint
  return typeof hint === 'object' && hint.clientId === client.id ? { subject: hint.sub } : 'invalid'
}

async function openInteraction(
  { request, ...target }: RedirectTarget & { readonly request: AuthorizationRequest },
  visitor: AskingVisitor,
  deps: AuthorizationDependencies,
): Promise<InteractionResult> {
  const refused = await interactionLimitReached('interaction', visitor, deps.limits)
  if (refused !== null) return refused
  // The way back here brings the cookies; prompt=none is then answered whatever browser it is.
  const silent = request.prompt.includes('none')
  const browser = visitor.browser ?? deps.ids.secret('gb_')
  const handle = silent ? noBrowser : deps.ids.handleOf(browser)
  const opening = { tenant: visitor.tenant, kind: 'authorize' as const, browser: handle, request }
  const interaction = sealInteraction(opening, deps)
  if (interaction === null) return refuseClient(target, { refusal: { reason: 'request_too_long' }, visitor }, deps)
  return ok({ go: 'hub', interaction, cookies: visitor.browser === null && !silent ? { browser } : {} })
}
