/**
 * prompt=none (OIDC Core §3.1.2.1): answered where it is requested, without a page. A frame of another site sends no
 * cookies that could bind an interaction to it, and a refusal stores nothing.
 */
import { type AuthorizationRequest, noInteractionProgress } from '@grantor/protocol/authorize'
import { err, ok } from '@grantor/protocol/result'
import type { Handle, Secret } from '@grantor/protocol/types'
import { referenceTo, useUp } from '../authorize/pushed-request.ts'
import { type InteractionDependencies, interactionState } from './interaction.ts'
import { issueCode, type IssueCodeDependencies } from './issue-code.ts'
import { type RefusalDependencies, refuseClient } from './refusal-to-client.ts'
import type { InteractionResult } from './response.ts'
import { findInteraction, sealInteraction } from './sealed-interaction.ts'
import type { Visitor } from './visitor.ts'

/** The browser of an interaction that is not bound to one yet, because it came by a form of another site. */
export const noBrowser = '' as Handle

export type SilentDependencies = InteractionDependencies & IssueCodeDependencies & RefusalDependencies

export async function answerSilently(
  request: AuthorizationRequest,
  visitor: Visitor,
  deps: SilentDependencies,
): Promise<InteractionResult | 'stale'> {
  const { tenant } = visitor
  const now = deps.clock.now()
  const state = await interactionState(
    {
      tenant,
      handle: noBrowser,
      browser: noBrowser,
      kind: 'authorize',
      request,
      progress: noInteractionProgress,
      openedAt: now,
      expiresAt: now,
      closedAt: null,
      version: 1,
    },
    visitor,
    deps,
  )
  if (state.kind === 'error') return state
  const { step } = state.value
  if (step.go === 'respond') return framed(await issueCode(state.value, step, deps))
  if (step.go === 'refuse') {
    // The answer is made first: if no key can sign it, the request is not used up and can be tried again.
    const to = { ...request, client: state.value.client }
    const answer = framed(await refuseClient(to, { refusal: step.refusal, visitor }, deps))
    return (await useUp(request, visitor, deps)) ? answer : err({ reason: 'request_uri_invalid' })
  }
  throw new Error('nobody is asked anything by prompt=none')
}

/**
 * Continues an interaction that is bound to no browser; null where it is bound. prompt=none asks nobody anything and is
 * answered. Any other is bound to the browser that opens it, as if its request had been made by a link.
 */
export async function continueUnbound(
  interaction: Secret,
  visitor: Visitor,
  deps: SilentDependencies,
): Promise<InteractionResult | 'stale' | null> {
  const { tenant } = visitor
  const row = await findInteraction(interaction, tenant, deps)
  if (row?.kind !== 'authorize' || row.browser !== noBrowser) return null
  const request = row.request as unknown as AuthorizationRequest
  if (request.prompt.includes('none')) return answerSilently(request, visitor, deps)
  const browser = visitor.browser ?? deps.ids.secret('gb_')
  const opening = {
    tenant,
    kind: 'authorize' as const,
    browser: deps.ids.handleOf(browser),
    request: referenceTo(request),
  }
  const bound = sealInteraction(opening, deps)
  if (bound === null) {
    const state = await interactionState(row, visitor, deps)
    if (state.kind === 'error') return state
    return refuseClient(
      { ...request, client: state.value.client },
      { refusal: { reason: 'request_too_long' }, visitor },
      deps,
    )
  }
  return ok({ go: 'hub', interaction: bound, cookies: visitor.browser === null ? { browser } : {} })
}

/** Clients use prompt=none in hidden frames, so the page of form_post must be allowed in a frame. */
function framed(result: InteractionResult | 'stale'): InteractionResult | 'stale' {
  if (result === 'stale' || result.kind === 'error' || result.value.go !== 'answer') return result
  return ok({ ...result.value, framed: true })
}
