/** The verified answer of a SAML provider about a person who returned from it. */
import type { Policy } from '@grantor/protocol/oauth'
import {
  samlAuthentication,
  samlClaims,
  samlProblem,
  samlSessionEnd,
  samlSubject,
  type StoredProvider,
  upstreamSignInTime,
  upstreamStrength,
} from '@grantor/protocol/providers'
import { ok, type Result } from '@grantor/protocol/result'
import type { Clock } from '../../ports/environment.ts'
import { answerProblem, type AnswerProblem, type UpstreamAnswer } from '../answer.ts'
import { samlRequestId, signedAssertion } from './relying-party.ts'

interface SamlResponse {
  readonly provider: StoredProvider
  /** The response as the form contained it. */
  readonly response: string
  readonly recipient: string
  /** The nonce of the request that it must answer. */
  readonly nonce: string
}

interface SamlDependencies {
  readonly clock: Clock
  readonly policy: Pick<Policy, 'leeway'>
}

const longestSid = 255

export async function samlAnswer(
  { provider, response, recipient, nonce }: SamlResponse,
  { clock, policy }: SamlDependencies,
): Promise<Result<UpstreamAnswer, AnswerProblem>> {
  const signed = await signedAssertion(response, { provider, recipient })
  if (signed.kind === 'error') return answerProblem(signed.error)
  const assertion = signed.value
  const now = clock.now()
  const problem = samlProblem(assertion, {
    issuer: provider.issuer,
    audience: provider.client_id,
    recipient,
    inResponseTo: samlRequestId(nonce),
    now,
    leeway: policy.leeway,
  })
  if (problem !== null) return answerProblem(problem)
  const upstreamSubject = samlSubject(assertion, provider.subject_attribute ?? null)
  if (upstreamSubject === null) return answerProblem('saml_subject')
  const authentication = samlAuthentication(assertion)
  const { sid } = authentication
  const until = samlSessionEnd(assertion)
  return ok({
    name: { provider: provider.id, issuer: provider.issuer, upstreamSubject },
    strength: upstreamStrength(authentication, { trusted: provider.trust_amr === true }),
    at: upstreamSignInTime(authentication, now),
    sid: typeof sid === 'string' && sid !== '' && sid.length <= longestSid ? sid : null,
    ...(until === null ? {} : { until }),
    more: () => Promise.resolve(ok(samlClaims(assertion, { believed: provider.trust_email === true }))),
  })
}
