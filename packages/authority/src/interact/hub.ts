/** The hub: determines where a person stands, and shows the next step or sends the client its answer. */
import type { Refusal } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { Secret } from '@grantor/protocol/types'
import { useUp } from '../authorize/pushed-request.ts'
import { closeInteraction, type InteractionState, isOfDevice, loadInteraction } from './interaction.ts'
import { issueCode, type IssueCodeDependencies } from './issue-code.ts'
import { questionAt, type QuestionDependencies } from './question.ts'
import { type DenialDependencies, recordDenial, refuseClient } from './refusal-to-client.ts'
import type { InteractionQuestion, InteractionResult } from './response.ts'
import { approveDevice, denyDevice, type SettleDeviceDependencies, settledDevice } from './settle-device.ts'
import { continueUnbound } from './silent.ts'
import type { Visitor } from './visitor.ts'

export type HubDependencies = QuestionDependencies &
  IssueCodeDependencies &
  SettleDeviceDependencies &
  DenialDependencies

export async function continueInteraction(
  interaction: Secret,
  visitor: Visitor,
  deps: HubDependencies,
): Promise<InteractionResult | 'stale'> {
  const loaded = await loadInteraction(interaction, visitor, deps)
  if (loaded.kind === 'error') {
    const { reason } = loaded.error
    if (reason === 'interaction_gone') return settledDevice(interaction, visitor, deps)
    const mayBeUnbound = reason === 'interaction_of_another_browser'
    return (mayBeUnbound ? await continueUnbound(interaction, visitor, deps) : null) ?? loaded
  }
  const state = loaded.value
  const { step } = state
  if (step.go === 'refuse') return refuse(state, step.refusal, deps)
  if (step.go !== 'respond') return ok(await questionAt(state, step, deps))
  return isOfDevice(state) ? approveDevice(state, step, deps) : issueCode(state, step, deps)
}

/**
 * The question that the person is asked now, null where none is left. Read-only: answers no client and closes nothing.
 */
export async function currentQuestion(
  interaction: Secret,
  visitor: Visitor,
  deps: HubDependencies,
): Promise<InteractionQuestion | null> {
  const loaded = await loadInteraction(interaction, visitor, deps)
  if (loaded.kind === 'error' || loaded.value.step.go === 'refuse' || loaded.value.step.go === 'respond') return null
  return questionAt(loaded.value, loaded.value.step, deps)
}

/** Refuses the request. An answer leaves only after the interaction is closed. */
async function refuse(state: InteractionState, refusal: Refusal, deps: HubDependencies): Promise<InteractionResult> {
  recordDenial(state, refusal, deps)
  if (isOfDevice(state)) {
    // A CIBA request is for one person. If somebody else signed in, the request still waits for the right one.
    const isForAnother = refusal.reason === 'person_mismatch' && state.device.backchannel !== undefined
    return isForAnother ? err(refusal) : denyDevice(state, deps)
  }
  // The answer is made first: if no key can sign it, the request is not used up and can be tried again.
  const to = { ...state.request, client: state.client }
  const answer = await refuseClient(to, { refusal, visitor: state.visitor }, deps)
  if (!(await useUp(state.request, state.visitor, deps))) return err({ reason: 'interaction_gone' })
  await closeInteraction(state, deps)
  return answer
}
