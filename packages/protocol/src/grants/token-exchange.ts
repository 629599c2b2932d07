/** Token exchange — RFC 8693: a token that was presented to a client becomes one for the API that it calls next. */
import { actorChain } from '../exchange/actor-chain.ts'
import { allowedExchange, exchangedScope } from '../exchange/exchange-access.ts'
import { exchangeParams, type TokenExchangeParams } from '../exchange/exchange-params.ts'
import { type ExchangeSubject, exchangeSubject, liveAccessToken } from '../exchange/exchange-subject.ts'
import { issueIdJag } from '../exchange/id-jag-issuance.ts'
import { tokenTypes } from '../exchange/token-types.ts'
import { holdsToken, noPossession } from '../oauth/confirmation.ts'
import { isPublic } from '../registration/client.ts'
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

  decide(it) {
    const { params, facts } = it
    if (isPublic(it.client)) return refuse({ reason: 'grant_type_not_allowed' })
    if (params.audience !== null)
      return issueIdJag({ ...params, audience: params.audience, subject: facts.subject }, it)
    const presented = exchangeSubject({ facts: facts.subject, type: params.subjectType }, it)
    if (presented.kind === 'error') return refuse(presented.error)
    const subject = presented.value
    // RFC 9449 §5: what was bound to a key stays bound, to that of whoever has it now.
    if (isBound(subject) && !hasKey(it)) return refuse({ reason: 'proof_missing' })
    const allowed = allowedExchange(subject, it)
    if (allowed.kind === 'error') return refuse(allowed.error)
    const { rule, target } = allowed.value
    if (params.requestedType === tokenTypes.jwt && target.resource?.tokenFormat === 'opaque')
      return refuse({ reason: 'token_type_not_exchanged', name: 'requested_token_type' })
    const scope = exchangedScope(subject, allowed.value, it)
    if (scope.kind === 'error') return refuse(scope.error)
    const actor = params.actorToken === null ? null : liveAccessToken(facts.actor, it.now)
    if (params.actorToken !== null && actor === null) return refuse({ reason: 'actor_token_invalid' })
    // It is the actor's own, so that whoever sends it has its key, too.
    if (actor !== null && !holdsToken(actor.claims['cnf'], it.possession ?? noPossession))
      return refuse({ reason: 'actor_of_another_key' })
    const acting = { sub: actor?.subject ?? it.client.id, client_id: actor?.clientId ?? it.client.id, iss: it.issuer }
    const actors = actorChain(subject.claims, { as: rule.as, acting, named: actor !== null })
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
      // What was exchanged ends with what it was exchanged for.
      expiresBy: subject.expiresAt,
      ...(subject.opens === undefined ? {} : { opens: subject.opens }),
      response: { issued_token_type: params.requestedType },
      eventData: { ...subject.eventData, as: rule.as, ...act },
    }
  },
}

const isBound = ({ claims }: ExchangeSubject): boolean => claims['cnf'] !== undefined
/** As tokenBinding has it: a certificate binds only the tokens of who registered for that. */
const hasKey = ({ possession, client: { metadata } }: Context): boolean =>
  possession?.jkt != null ||
  (possession?.certificate != null && metadata.tls_client_certificate_bound_access_tokens === true)

/** RFC 9068 §2.2.1: when and how the person signed in; the new token ends with that session. */
const signInClaims = ({ claims }: ExchangeSubject): JsonObject =>
  Object.fromEntries(
    ['auth_time', 'acr', 'sid'].flatMap((name) => (claims[name] === undefined ? [] : [[name, claims[name]]])),
  )
