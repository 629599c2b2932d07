/**
 * GET and POST /authorize, without HTTP: identifies the client and checks the request, then answers it or opens an
 * interaction.
 */
import { redirectTarget } from '@grantor/protocol/authorize'
import type { Form } from '@grantor/protocol/oauth'
import { err, ok, type Result } from '@grantor/protocol/result'
import {
  type AcceptanceDependencies,
  type AcceptedAuthorization,
  acceptRequest,
  type ComingRequest,
  type RefusedAuthorization,
} from '../authorize/accept.ts'
import { isPushed, pushedRequest, type PushedRequestDependencies, referenceTo } from '../authorize/pushed-request.ts'
import { requestingClient, type RequestingClientDependencies } from '../authorize/requesting-client.ts'
import { interactionLimitReached } from '../limits/interaction-limit.ts'
import { limitReached } from '../limits/limits.ts'
import { refuseClient, type RefusalDependencies } from './refusal-to-client.ts'
import type { InteractionResult } from './response.ts'
import { sealInteraction, type SealedInteractionDependencies } from './sealed-interaction.ts'
import { answerSilently, noBrowser, type SilentDependencies } from './silent.ts'
import type { Visitor } from './visitor.ts'

export type AuthorizationDependencies = RequestingClientDependencies &
  AcceptanceDependencies &
  PushedRequestDependencies &
  SealedInteractionDependencies &
  SilentDependencies &
  RefusalDependencies

/** `cookieless`: the request is a form of another site, so the browser may have cookies that it did not send. */
export type AskingVisitor = Visitor & { readonly cookieless?: boolean }

export async function beginAuthorization(
  form: Form,
  visitor: AskingVisitor,
  deps: AuthorizationDependencies,
): Promise<InteractionResult | 'stale'> {
  const catalogue = await deps.directory.servedCatalogue(visitor.tenant)
  if (catalogue === null) return err({ reason: 'tenant_unknown' })
  const client = await requestingClient(form, { origin: visitor, catalogue }, deps)
  if (client.kind === 'error') return client
  if (client.value === null || client.value.disabledAt !== null) return refuseUnknown(form, visitor, deps)
  const refused = await fetchLimitReached(form, visitor, deps)
  if (refused !== null) return refused
  const asked = await askedFor(form, { client: client.value, catalogue, pushed: false }, deps)
  if (asked.kind === 'error') {
    const { refusal, target } = asked.error
    return target === null ? err(refusal) : refuseClient(target, { refusal, visitor }, deps)
  }
  return asked.value.request.prompt.includes('none') && visitor.cookieless !== true
    ? answerSilently(asked.value.request, visitor, deps)
    : openInteraction(asked.value, visitor, deps)
}

/** Anybody can name an address to fetch a request object from, so such fetches are limited by IP address. */
async function fetchLimitReached(form: Form, { ip }: Visitor, { limits }: AuthorizationDependencies) {
  const requestUri = form.get('request_uri')
  const isFetched = requestUri !== undefined && !isPushed(requestUri)
  return isFetched ? limitReached(await limits.takeByAddress('requestObjects', ip)) : null
}

/** A bad `request_uri` is shown to the person (`target: null`): without the request no redirect URI is known. */
async function askedFor(
  form: Form,
  coming: ComingRequest,
  deps: AuthorizationDependencies,
): Promise<Result<AcceptedAuthorization, RefusedAuthorization>> {
  const requestUri = form.get('request_uri')
  if (!isPushed(requestUri)) return acceptRequest(form, coming, deps)
  if (form.get('request') !== undefined) return err({ refusal: { reason: 'request_given_twice' }, target: null })
  const pushed = await pushedRequest(requestUri, coming.client, deps)
  return pushed.kind === 'error' ? err({ refusal: pushed.error, target: null }) : pushed
}

function refuseUnknown(form: Form, { tenant }: Visitor, deps: AuthorizationDependencies): InteractionResult {
  const refused = redirectTarget(form, null, deps.policy.addresses)
  if (refused.kind === 'ok') throw new Error('nobody is a target')
  const { reason } = refused.error
  deps.refusedRequests.record({ name: 'redirect_uri.refused', tenant, clientId: null, reason })
  return refused
}

async function openInteraction(
  { request, ...target }: AcceptedAuthorization,
  visitor: AskingVisitor,
  deps: AuthorizationDependencies,
): Promise<InteractionResult> {
  const refused = await interactionLimitReached('interaction', visitor, deps.limits)
  if (refused !== null) return refused
  // A form of another site came without cookies, but the redirect to the hub will bring them. The browser may have its
  // secret already, so it gets no new one here, and the hub binds the interaction to it (continueUnbound). The hub
  // answers prompt=none for any browser.
  const isUnknownBrowser = visitor.browser === null && visitor.cookieless === true
  const unbound = isUnknownBrowser || request.prompt.includes('none')
  const browser = visitor.browser ?? deps.ids.secret('gb_')
  const handle = unbound ? noBrowser : deps.ids.handleOf(browser)
  const opening = { tenant: visitor.tenant, kind: 'authorize' as const, browser: handle, request: referenceTo(request) }
  const interaction = sealInteraction(opening, deps)
  if (interaction === null) return refuseClient(target, { refusal: { reason: 'request_too_long' }, visitor }, deps)
  return ok({ go: 'hub', interaction, cookies: visitor.browser === null && !unbound ? { browser } : {} })
}
