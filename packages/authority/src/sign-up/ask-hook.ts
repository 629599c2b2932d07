/**
 * Asks the operator's own program whether a sign-up may go on, for example by a challenge, a list or a check of the
 * network.
 */
import {
  type PolicyService,
  readSignUpAnswer,
  signUpHookRequest,
  type SignUpVerdict,
} from '@grantor/protocol/decisions'
import type { Secret } from '@grantor/protocol/types'
import { webhookHeaders, webhookKey } from '@grantor/protocol/webhooks'
import type { Visitor } from '../interact/visitor.ts'
import type { Clock, Ids, Issuers } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'
import { askDecisionPoint } from '../decisions/ask-decision-point.ts'

export interface SignUpHook extends PolicyService {
  /** `whsec_…`: the secret that signs the requests. */
  readonly secret: Secret
}

export interface SignUpHookDependencies {
  readonly clock: Clock
  readonly ids: Ids
  readonly issuers: Issuers
  readonly outbound: Pick<Outbound, 'submit'>
  /** Null where no hook is configured. */
  readonly signUpHook: SignUpHook | null
}

export async function askSignUpHook(
  email: string,
  { tenant, ip, userAgent }: Pick<Visitor, 'tenant' | 'ip' | 'userAgent'>,
  { clock, ids, issuers, outbound, signUpHook: hook }: SignUpHookDependencies,
): Promise<SignUpVerdict | 'unavailable'> {
  if (hook === null) return { decision: 'allow' }
  const now = clock.now()
  const content = JSON.stringify(
    signUpHookRequest({ tenant, issuer: issuers.issuerOf(tenant), email, ip, userAgent }, now),
  )
  const key = webhookKey(hook.secret)
  const headers = webhookHeaders({ id: ids.id(), at: now, content }, key === null ? [] : [key])
  const message = { type: 'application/json', content, headers }
  const answer = await askDecisionPoint(hook, message, { authorization: null, purpose: 'sign_up_hook', outbound })
  return readSignUpAnswer(answer) ?? (hook.on_failure === 'allow' ? { decision: 'allow' } : 'unavailable')
}
