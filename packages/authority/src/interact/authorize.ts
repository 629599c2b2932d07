/** GET and POST /authorize, without HTTP: redirectTarget? acceptable? Then an interaction is opened, and the hub goes on. */
import {
  acceptAuthorizationRequest,
  type RedirectTarget,
  redirectTarget,
  authorizationResponse,
  type AuthorizationRequest,
  noInteractionProgress,
} from '@grantor/protocol/authorize'
import { isClientId } from '@grantor/protocol/client-auth'
import { type Catalogue, type Form, type Refusal, refusalResponse } from '@grantor/protocol/oauth'
import { type Client, isDocumentId, registrationPolicy } from '@grantor/protocol/registration'
import { err, type Ok, ok, type Result } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type ClientDocumentDependencies, documentClient } from '../clients/document.ts'
import { type HintDependencies, idTokenHint } from '../tokens/id-token-hint.ts'
import { interactionLimitReached } from '../limits/interaction-limit.ts'
import type { InteractionResponse, InteractionResult } from './response.ts'
import type { Visitor } from './visitor.ts'

export type AuthorizationDependencies = ClientDocumentDependencies &
  HintDependencies & { readonly store: Pick<Store, 'interactions'> }

export async function beginAuthorization(
  form: Form,
  visitor: Visitor,
  deps: AuthorizationDependencies,
): Promise<InteractionResult> {
  const catalogue = await deps.directory.servedCatalogue(visitor.tenant)
  if (catalogue === null) return err({ reason: 'tenant_unknown' })
  const client = await clientOf(form, { visitor, catalogue }, deps)
  if (client.kind === 'error') return client
  const addressed = redirectTarget(form, client.value, deps.policy.addresses)
  if (addressed.kind === 'error') return addressed
  const hint = await hintOf(form.get('id_token_hint'), { client: addressed.value.client, catalogue }, deps)
  const issuer = deps.issuers.issuerOf(visitor.tenant)
  const request = acceptAuthorizationRequest(form, addressed.value, { catalogue, issuer, policy: deps.policy, hint })
  return request.kind === 'error'
    ? refusalToClient(addressed.value, request.error, issuer)
    : openInteraction(request.value, visitor, deps)
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
  request: AuthorizationRequest,
  visitor: Visitor,
  deps: AuthorizationDependencies,
): Promise<InteractionResult> {
  const refused = await interactionLimitReached('interaction', visitor, deps.limits)
  if (refused !== null) return refused
  const interaction = deps.ids.secret('gi_')
  const browser = visitor.browser ?? deps.ids.secret('gb_')
  const now = deps.clock.now()
  await deps.store.interactions.open({
    tenant: visitor.tenant,
    handle: deps.ids.handleOf(interaction),
    browser: deps.ids.handleOf(browser),
    kind: 'authorize',
    request: request,
    progress: noInteractionProgress,
    openedAt: now,
    expiresAt: (now + deps.policy.interactionTtl * 1000) as Instant,
    closedAt: null,
    version: 1,
  })
  return ok({ go: 'hub', interaction, cookies: visitor.browser === null ? { browser } : {} })
}
