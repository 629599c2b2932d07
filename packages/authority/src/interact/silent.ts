/**
 * prompt=none (OIDC Core §3.1.2.1): answered where it is asked, without a page. A frame of another site brings no cookies
 * that could bind an interaction to it, and a refusal leaves nothing behind.
 */
import { type AuthorizationRequest, noInteractionProgress } from '@grantor/protocol/authorize'
import { ok } from '@grantor/protocol/result'
import type { Handle } from '@grantor/protocol/types'
import { type InteractionDependencies, interactionState } from './interaction.ts'
import { issueCode, type IssueCodeDependencies } from './issue-code.ts'
import { refusalToClient } from './refusal-to-client.ts'
import type { InteractionResult } from './response.ts'
import { browserHandle, type Visitor } from './visitor.ts'

export type SilentDependencies = InteractionDependencies & IssueCodeDependencies

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
      handle: '' as Handle,
      browser: browserHandle(visitor, deps.ids) ?? ('' as Handle),
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
  if (step.go === 'refuse') return framed(refusalToClient(request, step.refusal, deps.issuers.issuerOf(tenant)))
  throw new Error('nobody is asked anything by prompt=none')
}

/** Its answer by form_post is a page that a frame of the client must be able to show. */
function framed(result: InteractionResult | 'stale'): InteractionResult | 'stale' {
  if (result === 'stale' || result.kind === 'error' || result.value.go !== 'answer') return result
  return ok({ ...result.value, framed: true })
}
