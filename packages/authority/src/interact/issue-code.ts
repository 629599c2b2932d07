/** The last step: the grant, code and consent record are stored in one commit, and the code is sent to the client. */
import { hearsOfLogout, profileOf } from '@grantor/protocol/registration'
import { err, ok } from '@grantor/protocol/result'
import type { Handle, Instant } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type AnswerDependencies, answerTo } from '../authorize/answer.ts'
import { basisOf } from '../directory.ts'
import type { InteractionState } from './interaction.ts'
import { keptInteraction } from './sealed-interaction.ts'
import { consentGranted, newConsent, newGrant, type NewGrantDependencies, type RespondStep } from './new-grant.ts'
import type { InteractionResult } from './response.ts'

export interface IssueCodeDependencies extends NewGrantDependencies, AnswerDependencies {
  readonly store: Pick<Store, 'grants' | 'keys'>
}

export async function issueCode(
  state: InteractionState,
  step: RespondStep,
  deps: IssueCodeDependencies,
): Promise<InteractionResult | 'stale'> {
  const { row, request, client, catalogue } = state
  const now = deps.clock.now()
  const code = deps.ids.secret('gc_')
  const grant = newGrant(state, step, deps)
  // Only an approval given in this interaction makes a record; remembered consent has one already.
  const consent = state.progress.approval === null ? null : newConsent(state, grant, deps)
  // Signed before the commit: if no key can sign, nothing is used up.
  const response = await answerTo({ ...request, client }, { code }, catalogue, deps)
  const outcome = await deps.store.grants.open({
    basis: basisOf(catalogue, client),
    grant,
    code: {
      handle: deps.ids.handleOf(code),
      redirectUri: request.redirectUri,
      redirectUriSent: request.redirectUriSent,
      challenge: request.challenge,
      expiresAt: (now + Math.min(deps.policy.codeTtl, profileOf(client).codeTtl) * 1000) as Instant,
    },
    consent,
    remembered: consent === null ? state.rememberedRecord : null,
    // prompt=none is answered where it is requested: no interaction exists that could be answered twice.
    interaction: request.prompt.includes('none') ? null : keptInteraction(row),
    pushed: request.pushed as Handle | null,
    party: hearsOfLogout(client),
    at: now,
    events: consent === null ? [] : [consentGranted(state, consent, deps)],
  })
  if (outcome === 'stale') return 'stale'
  if (outcome === 'already-closed') return err({ reason: 'interaction_gone' })
  return ok({ go: 'answer', response })
}
