/**
 * Token exchange — RFC 8693: exchanges a token that was presented to a client for one for the API that the client calls
 * next.
 */
import { actorChain } from '../exchange/actor-chain.ts'
import { allowedExchange, exchangedScope } from '../exchange/exchange-access.ts'
import { exchangeParams, type TokenExchangeParams } from '../exchange/exchange-params.ts'
import { type ExchangeSubject, exchangeSubject, liveAccessToken } from '../exchange/exchange-subject.ts'
import { issueIdJag } from '../exchange/id-jag-issuance.ts'
import { tokenTypes } from '../exchange/token-types.ts'
import { holdsToken, noPossession } from '../oauth/confirmation.ts'
import type { AccessTokenFacts } from '../oauth/access-token.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { isPublic } from '../registration/client.ts'
import { err, ok, type Result } from '../result.ts'
import type { JsonObject } from '../types.ts'
import { tokenExchangeGrant } from './grant-types.ts'
import { type GrantInput, type GrantRule, refuse } from './rule.ts'

type Found = { subject: 'token' | 'refresh'; actor: 'token' }
type Context = GrantInput<TokenExchangeParams, Found>

export const tokenExchange: GrantRule<TokenExchangeParams, Found> = {
  type: tokenExchangeGrant,

  parse: exchangeParams,

  lookups: ({ subjectToken, subjectHandle, actorToken }) => ({
    subject: subjectHandle === null ? { find: 'token', by: subjectToken } : { find: 'refresh', by: subjectHandle },
    actor: actorToken === null ? null : { find: 'token', by: actorToken },
  }),

  decide(input) {
    const { params, facts } = input
    if (isPublic(input.client)) return refuse({ reason: 'grant_type_not_allowed' })
    if (params.audience !== null)
      return issueIdJag({ ...params, audience: params.audience, subject: facts.subject }, input)
    const presented = exchangeSubject({ facts: facts.subject, type: params.subjectType }, input)
    if (presented.kind === 'error') return refuse(presented.error)
    const subject = presented.value
    // RFC 9449 §5: the result of exchanging a bound token is bound as well, to the key of the client that exchanges it.
    if (isBound(subject) && !hasKey(input)) return refuse({ reason: 'proof_missing' })
    const allowed = allowedExchange(subject, input)
    if (allowed.kind === 'error') return refuse(allowed.error)
    const { rule, target } = allowed.value
    if (params.requestedType === tokenTypes.jwt && target.resource?.tokenFormat === 'opaque')
      return refuse({ reason: 'token_type_not_exchanged', name: 'requested_token_type' })
    const scope = exchangedScope(subject, allowed.value, input)
    if (scope.kind === 'error') return refuse(scope.error)
    const actor = presentedActor(input)
    if (actor.kind === 'error') return refuse(actor.error)
    const acting = actingParty(actor.value, input)
    const actors = actorChain(subject.claims, { as: rule.as, acting, named: actor.value !== null })
    if (actors.kind === 'error') return refuse(actors.error)
    const act = actors.value === null ? {} : { act: actors.value }
    return {
      do: 'issue',
      grantId: subject.grantId,
      subject: subject.subject,
      scope: scope.value,
      resource: target.resource,
      claims: { ...signInClaims(subject), ...act },
      spend: null,
      refresh: null,
      idToken: null,
      // The new token does not outlive the presented one.
      expiresBy: subject.expiresAt,
      ...(subject.opens === undefined ? {} : { opens: subject.opens }),
      response: { issued_token_type: params.requestedType },
      eventData: { ...subject.eventData, as: rule.as, ...act },
    }
  },
}

/** The `actor_token`; null where there is none. It must be the sender's own, so its key must be proven as well. */
function presentedActor({ params, facts, possession, now }: Context): Result<AccessTokenFacts | null, Refusal> {
  if (params.actorToken === null) return ok(null)
  const actor = liveAccessToken(facts.actor, now)
  if (actor === null) return err({ reason: 'actor_token_invalid' })
  return holdsToken(actor.claims['cnf'], possession ?? noPossession)
    ? ok(actor)
    : err({ reason: 'actor_of_another_key' })
}

/** RFC 8693 §4.1: the acting party from now on: the named actor, or else the client itself. */
const actingParty = (actor: AccessTokenFacts | null, { client, issuer }: Context) => ({
  sub: actor?.subject ?? client.id,
  client_id: actor?.clientId ?? client.id,
  iss: issuer,
})

const isBound = ({ claims }: ExchangeSubject): boolean => claims['cnf'] !== undefined

/** The same rule as in tokenBinding: a certificate binds tokens only of clients that registered for it. */
const hasKey = ({ possession, client: { metadata } }: Context): boolean =>
  possession?.jkt != null ||
  (possession?.certificate != null && metadata.tls_client_certificate_bound_access_tokens === true)

/** RFC 9068 §2.2.1: when and how the person signed in; the new token is revoked with that session. */
const signInClaims = ({ claims }: ExchangeSubject): JsonObject =>
  Object.fromEntries(
    ['auth_time', 'acr', 'sid'].flatMap((name) => (claims[name] === undefined ? [] : [[name, claims[name]]])),
  )
