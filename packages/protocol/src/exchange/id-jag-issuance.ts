/** An identity assertion grant for another authorization server: draft-ietf-oauth-identity-assertion-authz-grant §4.3. */
import { findResource } from '../oauth/catalogue.ts'
import { seconds } from '../oauth/access-token.ts'
import { formatScope, isWithin, type Scope } from '../oauth/scope.ts'
import { sameUri } from '../oauth/uri.ts'
import { liveIdToken } from '../oidc/presented-id-token.ts'
import { subjectOf } from '../oidc/subject.ts'
import type { Instant, JsonObject } from '../types.ts'
import { type Grant, grantRefusal, type RefreshFacts, type TokenFacts } from '../grants/grant.ts'
import { type GrantDecision, type GrantInput, type Lookups, refuse } from '../grants/rule.ts'
import { tokenTypes } from './token-types.ts'

/** Its lifetime in seconds: enough for one request to the other server. */
export const idJagLife = 300

export interface IdJagRequest {
  /** The issuer of the other server. */
  readonly audience: string
  readonly resources: readonly string[]
  readonly scope: Scope | null
  readonly subject: TokenFacts | RefreshFacts | null
}

type Context = GrantInput<unknown, Lookups>

export function issueIdJag(
  { audience, resources, scope: asked, subject }: IdJagRequest,
  input: Context,
): GrantDecision {
  const { client, catalogue, issuer } = input
  const held = subject !== null && 'kind' in subject ? ofIdToken(subject, input) : ofRefreshToken(subject, input)
  if (held === null) return refuse({ reason: 'subject_token_invalid' })
  const { grant, expiresAt } = held
  const rule = client.metadata.exchange?.find((row) => sameUri(row.audience, audience))
  // §8.3: only for another domain; for our own APIs there are access tokens.
  const isOurs = sameUri(audience, issuer) || findResource(catalogue, audience) !== null
  if (rule === undefined || isOurs) return refuse({ reason: 'exchange_not_allowed' })
  // The scopes are the other server's: the operator's list is the maximum, and all that is known about them.
  const most: Scope = new Set(rule.scopes)
  if (asked !== null && !isWithin(asked, most)) return refuse({ reason: 'scope_exceeds_exchange' })
  const scope = asked ?? most
  const [resource, ...others] = resources
  return {
    do: 'issue',
    grantId: grant.id,
    subject: subjectOf(grant),
    scope,
    resource: null,
    claims: {
      auth_time: seconds(grant.authentication.at),
      acr: grant.authentication.acr,
      amr: [...grant.authentication.amr],
      ...emailOf(grant, input),
      ...(resource === undefined ? {} : { resource: others.length === 0 ? resource : [...resources] }),
    },
    spend: null,
    refresh: null,
    idToken: null,
    expiresBy: expiresAt,
    idJag: { audience: rule.audience, clientId: rule.client_id ?? client.id },
    response: { issued_token_type: tokenTypes.idJag },
    eventData: {
      issued_token_type: tokenTypes.idJag,
      exchanged_client: grant.clientId,
      exchanged_scope: formatScope(grant.scope),
    },
  }
}

interface HeldIdentity {
  readonly grant: Grant
  readonly expiresAt: Instant
}

const ofIdToken = (facts: TokenFacts, input: Context): HeldIdentity | null =>
  facts.kind === 'jwt' ? liveIdToken(facts, input) : null

/** §4.3.3: checked like a refresh, but not used up. Only a person who signed in by OIDC has an identity to assert. */
function ofRefreshToken(held: RefreshFacts | null, { client, person, now }: Context): HeldIdentity | null {
  if (held === null || held.spentAt !== null || held.expiresAt <= now || !held.scope.has('openid')) return null
  const { grant } = held
  const ended = grantRefusal(grant, { ...(person === undefined ? {} : { person }), now })
  return grant.clientId === client.id && ended === null ? { grant, expiresAt: held.expiresAt } : null
}

/** §3: the address by which the other server may know the person, if they agreed that this client gets it. */
function emailOf({ scope }: Grant, { person }: Context): JsonObject {
  const { email, email_verified: verified } = person?.claims ?? {}
  return scope.has('email') && typeof email === 'string' ? { email, email_verified: verified === true } : {}
}
