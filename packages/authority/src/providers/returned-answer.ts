/**
 * The answer that a browser brings back from a provider, in the provider's protocol: checks that it is that provider's,
 * then verifies it.
 */
import type { Form } from '@grantor/protocol/oauth'
import { isAnswerOf, presetOf, type StoredProvider } from '@grantor/protocol/providers'
import type { Result } from '@grantor/protocol/result'
import type { Visitor } from '../interact/visitor.ts'
import type { Issuers } from '../ports/environment.ts'
import { answerProblem, type AnswerProblem, type UpstreamAnswer } from './answer.ts'
import { returnAddress, type SealedVisit } from './departure.ts'
import { redeemCode, type RedemptionDependencies } from './redeem-code.ts'
import { samlAnswer } from './saml/saml-answer.ts'
import { upstreamOf } from './upstream.ts'

export interface ExpectedAnswer {
  readonly visit: SealedVisit
  readonly provider: StoredProvider
  readonly visitor: Visitor
}

export interface AnswerDependencies extends RedemptionDependencies {
  readonly issuers: Issuers
}

/** RFC 6749 §4.1.2, RFC 9207: checks that the answer comes from the provider that was asked, then redeems its code. */
export async function returnedAnswer(
  form: Form,
  { visit, provider, visitor }: ExpectedAnswer,
  deps: AnswerDependencies,
): Promise<Result<UpstreamAnswer, AnswerProblem>> {
  const { tenant } = visitor
  const redirectUri = returnAddress(deps.issuers.issuerOf(tenant), provider.id)
  if (presetOf(provider).protocol === 'saml') {
    const response = form.get('SAMLResponse') ?? ''
    return samlAnswer({ provider, response, recipient: redirectUri, nonce: visit.nonce }, deps)
  }
  const upstream = await upstreamOf(provider, deps.outbound)
  if (upstream.kind === 'error') return answerProblem(upstream.error, true)
  if (!isAnswerOf(form.get('iss'), upstream.value.issuer, upstream.value.namesItself))
    return answerProblem('answer_iss')
  const refused = form.get('error')
  if (refused !== undefined) {
    const away = refused === 'temporarily_unavailable' || refused === 'server_error'
    const cancelled = refused === 'access_denied' || refused === 'user_cancelled_authorize'
    return answerProblem(cancelled ? 'access_denied' : 'answer_error', away)
  }
  const code = form.get('code') ?? ''
  if (code === '' || code.length > 4096) return answerProblem('answer_code')
  const { nonce, verifier } = visit
  return redeemCode({ tenant, provider, upstream: upstream.value, code, redirectUri, nonce, verifier }, deps)
}
