/**
 * The subject of a presented token: an access token or ID token of ours, or a JWT of a trusted issuer. RFC 8693 §2.1.
 */
import type { AccessTokenFacts } from '../oauth/access-token.ts'
import { formatScope, noScope, type Scope } from '../oauth/scope.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { type IdTokenOnRecord, liveIdToken } from '../oidc/presented-id-token.ts'
import { subjectOf } from '../oidc/subject.ts'
import { registeredScope } from '../registration/client.ts'
import { type GrantId, type Instant, type JsonObject, jsonObject } from '../types.ts'
import { err, ok, type Result } from '../result.ts'
import { assertedBy, assertedSignIn, type TrustedAssertion } from '../grants/assertion.ts'
import type { RefreshFacts, TokenFacts } from '../grants/grant.ts'
import type { GrantInput, Lookups, NewGrantOrder } from '../grants/rule.ts'
import { tokenTypes } from './token-types.ts'

export interface ExchangeSubject {
  readonly subject: string
  readonly grantId: GrantId | null
  /** The grant to open, where another issuer vouches for the person. */
  readonly opens?: NewGrantOrder
  /** The audience of the presented token; null where that is no API of ours. */
  readonly audience: string | null
  /** The scope that it has there. */
  readonly scope: Scope
  /** The maximum scope of the subject anywhere; null where only the policy limits it. */
  readonly most: Scope | null
  readonly isPerson: boolean
  readonly expiresAt: Instant
  readonly claims: JsonObject
  /** Data for the event. */
  readonly eventData: JsonObject
}

type Context = Pick<GrantInput<unknown, Lookups>, 'client' | 'catalogue' | 'issuer' | 'now' | 'person'>

/** Milliseconds: a token that expires within this time would be exchanged for one that is expired on arrival. */
const leastLeft = 2000

export interface PresentedSubject {
  readonly facts: TokenFacts | RefreshFacts | null
  /** The token type it was presented as. */
  readonly type: string
}

export function exchangeSubject({ facts, type }: PresentedSubject, input: Context): Result<ExchangeSubject, Refusal> {
  if (facts === null || !('kind' in facts)) return invalid
  switch (facts.kind) {
    case 'access': {
      const token = type === tokenTypes.id ? null : liveAccessToken(facts, input.now)
      return token === null ? invalid : ok(ofAccessToken(token, facts.grant !== null))
    }
    case 'jwt': {
      const id = type === tokenTypes.access ? null : liveIdToken(facts, input)
      return id === null || id.expiresAt < input.now + leastLeft ? invalid : ok(ofIdToken(id))
    }
    case 'foreign':
      return type === tokenTypes.access || facts.expiresAt < input.now + leastLeft
        ? invalid
        : ofForeign(facts, input.now)
    case 'unavailable':
      return err({ reason: 'issuer_unavailable', retryAfter: 5 })
    case 'refused':
      return invalid
  }
}

const invalid = err({ reason: 'subject_token_invalid' } as const)

/** An access token of ours that is still valid; a refresh token cannot be exchanged for one. */
export const liveAccessToken = (facts: TokenFacts | null, now: Instant): AccessTokenFacts | null =>
  facts?.kind === 'access' && facts.active && facts.token.expiresAt >= now + leastLeft ? facts.token : null

const ofAccessToken = (token: AccessTokenFacts, isPerson: boolean): ExchangeSubject => ({
  subject: token.subject,
  grantId: token.grantId,
  audience: token.audience,
  scope: token.scope,
  most: null,
  isPerson,
  expiresAt: token.expiresAt,
  claims: token.claims,
  eventData: {
    exchanged: token.jti,
    exchanged_client: token.clientId,
    exchanged_scope: formatScope(token.scope),
  },
})

/** It has no scope of its own, so only the policy determines the result. */
const ofIdToken = ({ grant, claims, expiresAt }: IdTokenOnRecord): ExchangeSubject => ({
  subject: subjectOf(grant),
  grantId: grant.id,
  audience: null,
  scope: noScope,
  most: null,
  isPerson: true,
  expiresAt,
  claims,
  eventData: {
    exchanged_client: grant.clientId,
    ...(typeof claims['jti'] === 'string' ? { exchanged: claims['jti'] } : {}),
  },
})

function ofForeign(token: TrustedAssertion, now: Instant): Result<ExchangeSubject, Refusal> {
  const { client, person, expiresAt, claims, issuer, idJag } = token
  const about = { audience: null, scope: noScope, grantId: null, expiresAt, eventData: assertedBy(token) }
  const acted = foreignActor(claims['act'], issuer)
  const stated = ['may_act', 'cnf'].flatMap((name) =>
    claims[name] === undefined ? [] : [[name, claims[name]] as const],
  )
  const kept: JsonObject = { ...Object.fromEntries(stated), ...acted }
  // A grant for one client is redeemed by that client, and not exchanged.
  if (idJag) return invalid
  if (client !== null && client.disabledAt === null) {
    return ok({ ...about, subject: client.id, most: registeredScope(client), isPerson: false, claims: kept })
  }
  if (person === null || person.disabledAt !== null) return invalid
  const signedInAt = assertedSignIn(claims['auth_time'], now)
  const opens = { person, signedInAt, expiresAt: (expiresAt + margin) as Instant }
  return ok({
    ...about,
    subject: person.id,
    most: null,
    isPerson: true,
    opens,
    claims: { ...kept, auth_time: Math.floor(signedInAt / 1000) },
  })
}

/** Milliseconds by which a grant outlives its one token. */
const margin = 60_000

/**
 * The earlier actor at another issuer, named together with that issuer, because another actor may have the same name
 * here.
 */
function foreignActor(claim: unknown, issuer: string): JsonObject {
  const act = jsonObject(claim)
  if (act === null || typeof act['sub'] !== 'string') return {}
  const iss = typeof act['iss'] === 'string' ? act['iss'] : issuer
  return { act: { sub: act['sub'], iss, ...foreignActor(act['act'], issuer) } }
}
