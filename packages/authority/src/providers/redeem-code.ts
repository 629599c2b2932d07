/** Redeems the code of a provider, and verifies its ID token; the answer counts only if every check holds. */
import { parseJwt } from '@grantor/protocol/jose'
import { type Policy, textLimits } from '@grantor/protocol/oauth'
import {
  idTokenProblem,
  issuerOfToken,
  presetOf,
  upstreamSignInTime,
  upstreamStrength,
} from '@grantor/protocol/providers'
import { ok, type Result } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import type { Clock } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'
import type { Vault } from '../ports/vault.ts'
import { issuerKeys } from '../trust/issuer-keys.ts'
import { answerProblem, type AnswerProblem, type UpstreamAnswer } from './answer.ts'
import { githubAnswer } from './github.ts'
import { askTokenEndpoint, isBearer, type TokenEndpoint } from './token-endpoint.ts'
import { documentIn, documentTypes, mostDocumentBytes, providerCause, type Upstream } from './upstream.ts'

export interface Redemption extends TokenEndpoint {
  readonly code: string
  readonly redirectUri: string
  readonly nonce: string
  readonly verifier: string
}

export interface RedemptionDependencies {
  readonly clock: Clock
  readonly outbound: Outbound
  readonly policy: Pick<Policy, 'leeway'>
  readonly vault: Vault
}

/** A session with a longer `sid` is not found by it; only a logout token with `sub` ends it. */
const longestSid = 255

export async function redeemCode(
  redemption: Redemption,
  deps: RedemptionDependencies,
): Promise<Result<UpstreamAnswer, AnswerProblem>> {
  const tokens = await redeem(redemption, deps)
  if (tokens.kind === 'error') return tokens
  const { provider, upstream } = redemption
  if (presetOf(provider).protocol === 'github') return githubAnswer({ provider, upstream, tokens: tokens.value }, deps)
  const { id_token: text } = tokens.value
  const jwt = typeof text === 'string' && text.length <= textLimits.jwt ? parseJwt(text) : null
  if (jwt === null) return answerProblem('token_malformed')
  const now = deps.clock.now()
  const { client_id: clientId } = provider
  const { issuer, algs } = upstream
  const on = { issuer, algs, clientId, nonce: redemption.nonce, now, leeway: deps.policy.leeway }
  // What fails without keys is not worth asking for them.
  const early = idTokenProblem(jwt, { ...on, keys: [] })
  if (early !== null && early !== 'token_signature') return answerProblem(early)
  const source = { issuer, jwks_uri: upstream.jwksUri }
  const keys = await issuerKeys(source, jwt, deps.outbound, providerCause)
  if (keys === 'unavailable') return answerProblem('upstream_keys', true)
  const problem = idTokenProblem(jwt, { ...on, keys })
  if (problem !== null) return answerProblem(problem)
  const { claims } = jwt
  const { sid } = claims
  return ok({
    name: {
      provider: provider.id,
      issuer: issuerOfToken(claims, issuer) ?? '',
      upstreamSubject: claims['sub'] as string,
    },
    strength: upstreamStrength(claims, { trusted: provider.trust_amr === true }),
    at: upstreamSignInTime(claims, now),
    sid: typeof sid === 'string' && sid !== '' && sid.length <= longestSid ? sid : null,
    more: () => withUserinfo(claims, { upstream, tokens: tokens.value }, deps.outbound),
  })
}

/** RFC 6749 §4.1.3. */
const redeem = (
  { code, redirectUri, verifier, ...at }: Redemption,
  deps: RedemptionDependencies,
): Promise<Result<JsonObject, AnswerProblem>> =>
  askTokenEndpoint(
    at,
    {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      ...(presetOf(at.provider).pkce ? { code_verifier: verifier } : {}),
    },
    deps,
  )

/**
 * OIDC Core §5.3.2: userinfo must be of the same `sub`, or it is not used. Claims of the signed ID token take
 * precedence.
 */
async function withUserinfo(
  claims: JsonObject,
  { upstream, tokens }: { readonly upstream: Upstream; readonly tokens: JsonObject },
  outbound: Outbound,
): Promise<Result<JsonObject, AnswerProblem>> {
  const { access_token: bearer } = tokens
  if (upstream.userinfo === null || !isBearer(bearer)) return ok(claims)
  const ask = {
    url: upstream.userinfo,
    types: documentTypes,
    maxBytes: mostDocumentBytes,
    cause: providerCause,
    bearer,
  }
  const answer = await outbound.fetch(ask)
  if (answer.kind === 'error') return answerProblem(`userinfo_${answer.error}`, true)
  const upstreamClaims = documentIn(answer.value.body)
  if (upstreamClaims === null) return answerProblem('userinfo_answer')
  return upstreamClaims['sub'] === claims['sub'] ? ok({ ...upstreamClaims, ...claims }) : answerProblem('userinfo_sub')
}
