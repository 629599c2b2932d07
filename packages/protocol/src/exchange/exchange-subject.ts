/** Whom a presented token speaks for: an access token or ID token of ours, or a JWT of a trusted issuer. RFC 8693 §2.1. */
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
  /** The grant that comes to be, where another issuer vouches for the person. */
  readonly opens?: NewGrantOrder
  /** Where the presented token is for; null where that is no API of ours. */
  readonly audience: string | null
  /** What it carries there. */
  readonly scope: Scope
  /** The most that the subject may have anywhere; null where no more than the policy bounds it. */
  readonly most: Scope | null
  readonly isPerson: boolean
  readonly expiresAt: Instant
  readonly claims: JsonObject
  /** What the log says of it. */
  readonly eventData: JsonObject
}

type Context = Pick<GrantInput<unknown, Lookups>, 'client' | 'catalogue' | 'issuer' | 'now' | 'person'>

/** Milliseconds: a token that ends within these is exchanged for one that would be dead on arrival. */
const leastLeft = 2000

export interface PresentedSubject {
  readonly facts: TokenFacts | RefreshFacts | null
  /** As what it was presented. */
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

/** An access token of ours that is still good; a refresh token is exchanged for nothing but its successor. */
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

/** It opens nothing by itself, so all that comes of it is what the policy says. */
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
  // A grant that names one client is redeemed by it, and not exchanged.
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

/** Milliseconds that a grant outlives the one token that hangs on it. */
const margin = 60_000

/** Who acted before, at another issuer: named with it, because another may have the same name here. */
function foreignActor(claim: unknown, issuer: string): JsonObject {
  const act = jsonObject(claim)
  if (act === null || typeof act['sub'] !== 'string') return {}
  const iss = typeof act['iss'] === 'string' ? act['iss'] : issuer
  return { act: { sub: act['sub'], iss, ...foreignActor(act['act'], issuer) } }
}
