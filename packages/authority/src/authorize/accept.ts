/** Checks an authorization request: one rule for those sent by a browser and those that were pushed. */
import {
  acceptAuthorizationRequest,
  type AuthorizationRequest,
  type RedirectTarget,
  redirectTarget,
} from '@grantor/protocol/authorize'
import type { Catalogue, Form, Refusal } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { RefusalRecorder } from '../events.ts'
import { type HintDependencies, idTokenHint } from '../tokens/id-token-hint.ts'
import { type RequestObjectDependencies, requestParameters } from './request-parameters.ts'

export type AcceptanceDependencies = HintDependencies &
  RequestObjectDependencies & { readonly refusedRequests: RefusalRecorder }

/** The context of an incoming authorization request. */
export interface ComingRequest {
  readonly client: Client
  readonly catalogue: Catalogue
  /** Whether the client itself sent the request (RFC 9126). */
  readonly pushed: boolean
}

/** `target` is where the refusal may be sent; null where no address is known to be the client's. */
export interface RefusedAuthorization {
  readonly refusal: Refusal
  readonly target: RedirectTarget | null
}

export type AcceptedAuthorization = RedirectTarget & { readonly request: AuthorizationRequest }

export async function acceptRequest(
  form: Form,
  { client, catalogue, pushed }: ComingRequest,
  deps: AcceptanceDependencies,
): Promise<Result<AcceptedAuthorization, RefusedAuthorization>> {
  const read = await requestParameters(form, client, deps)
  const parameters = read.kind === 'ok' ? read.value.form : read.error.asked
  const addressed = redirectTarget(parameters, client, deps.policy.addresses)
  if (addressed.kind === 'error') {
    const { reason } = addressed.error
    const refused = { name: 'redirect_uri.refused', tenant: client.tenant, clientId: client.id, reason } as const
    deps.refusedRequests.record(refused)
    return err({ refusal: read.kind === 'error' ? read.error.refusal : addressed.error, target: null })
  }
  const target = addressed.value
  if (read.kind === 'error') return err({ refusal: read.error.refusal, target })
  const request = acceptAuthorizationRequest(parameters, target, {
    catalogue,
    issuer: deps.issuers.issuerOf(client.tenant),
    policy: deps.policy,
    hint: await hintOf(parameters.get('id_token_hint'), { client, catalogue }, deps),
    signed: read.value.signed,
    pushed,
  })
  return request.kind === 'error' ? err({ refusal: request.error, target }) : ok({ ...target, request: request.value })
}

/**
 * OIDC Core §3.1.2.1: an ID token of ours for this client, even an expired one, names the person that the client means.
 */
async function hintOf(
  text: string | undefined,
  { client, catalogue }: { readonly client: Client; readonly catalogue: Catalogue },
  deps: HintDependencies,
) {
  const hint = await idTokenHint(text, catalogue, deps)
  if (hint === 'absent') return hint
  return typeof hint === 'object' && hint.clientId === client.id ? { subject: hint.sub } : 'invalid'
}
