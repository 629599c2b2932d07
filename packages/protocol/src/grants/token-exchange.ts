/** Token exchange — RFC 8693: a token that was presented to a client becomes one for the API that it calls next. */
import { findResource } from '../oauth/catalogue.ts'
import { scopeFor, targetOf, type TokenTarget } from '../oauth/audience.ts'
import type { AccessTokenFacts } from '../oauth/access-token.ts'
import { personalScope } from '../oauth/personal-scope.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { formatScope, intersect, isWithin, parseScope, type Scope } from '../oauth/scope.ts'
import { canonicalUri, sameUri } from '../oauth/uri.ts'
import { oidcScopes } from '../oidc/scopes.ts'
import { isPublic } from '../registration/client.ts'
import type { ExchangeRule } from '../registration/exchange-policy.ts'
import { type Instant, type Json, type JsonObject, jsonObject } from '../types.ts'
import { err, ok, type Result } from '../result.ts'
import { tokenExchangeGrant } from './grant-types.ts'
import type { TokenFacts } from './grant.ts'
import { type GrantInput, type GrantRule, refuse } from './rule.ts'

/** RFC 8693 §3. */
const tokenTypes = {
  access: 'urn:ietf:params:oauth:token-type:access_token',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
} as const
const exchangeable: ReadonlySet<string> = new Set(Object.values(tokenTypes))

/** Milliseconds: a token that ends within these is exchanged for one that would be dead on arrival. */
const leastLeft = 2000

/** A chain of actors that is longer says less, and costs every API that reads it. */
const mostActors = 4

export interface TokenExchangeParams {
  readonly subjectToken: string
  readonly actorToken: string | null
  readonly requestedType: string
  /** Null where neither `resource` nor `audience` is sent. */
  readonly target: string | null
  readonly scope: Scope | null
}
type Found = { subject: 'token'; actor: 'token' }
type Context = GrantInput<TokenExchangeParams, Found>

export const tokenExchange: GrantRule<TokenExchangeParams, Found> = {
  type: tokenExchangeGrant,

  parse(form) {
    for (const name of ['subject_token', 'subject_token_type'] as const)
      if (form.get(name) === undefined) return err({ reason: 'parameter_missing', name })
    const actorToken = form.get('actor_token') ?? null
    // RFC 8693 §2.1: the type of the actor's token is sent with it, and never alone.
    if ((actorToken === null) !== (form.get('actor_token_type') === undefined))
      return err({ reason: 'parameter_missing', name: actorToken === null ? 'actor_token' : 'actor_token_type' })
    for (const name of ['subject_token_type', 'actor_token_type', 'requested_token_type'] as const)
      if (!exchangeable.has(form.get(name) ?? tokenTypes.access))
        return err({ reason: 'token_type_not_exchanged', name })
    const text = form.get('scope')
    const scope = text === undefined ? null : parseScope(text)
    if (text !== undefined && scope === null) return err({ reason: 'scope_malformed' })
    const target = requestedTarget([...form.all('resource'), ...form.all('audience')])
    if (target.kind === 'error') return target
    const requestedType = form.get('requested_token_type') ?? tokenTypes.access
    const subjectToken = form.get('subject_token') ?? ''
    return ok({ subjectToken, actorToken, requestedType, target: target.value, scope })
  },

  lookups: ({ subjectToken, actorToken }) => ({
    subject: { find: 'token', by: subjectToken },
    actor: actorToken === null ? null : { find: 'token', by: actorToken },
  }),

  decide(it) {
    if (isPublic(it.client)) return refuse({ reason: 'grant_type_not_allowed' })
    const subject = liveToken(it.facts.subject, it.now)
    if (subject === null) return refuse({ reason: 'subject_token_invalid' })
    const allowed = allowedExchange(subject, it)
    if (allowed.kind === 'error') return refuse(allowed.error)
    const { rule, target } = allowed.value
    if (it.params.requestedType === tokenTypes.jwt && target.resource?.tokenFormat === 'opaque')
      return refuse({ reason: 'token_type_not_exchanged', name: 'requested_token_type' })
    const scope = exchangedScope(subject, allowed.value, it)
    if (scope.kind === 'error') return refuse(scope.error)
    const actors = actorChain(subject, rule, it)
    if (actors.kind === 'error') return refuse(actors.error)
    const act = actors.value
    return {
      do: 'issue',
      grantId: subject.grantId,
      subject: subject.subject,
      scope: scope.value,
      resource: target.resource,
      claims: { ...signInClaims(subject), ...(act === null ? {} : { act }) },
      spend: null,
      refresh: null,
      idToken: null,
      // What was exchanged ends with what it was exchanged for.
      expiresBy: subject.expiresAt,
      response: { issued_token_type: it.params.requestedType },
      eventData: {
        exchanged: subject.jti,
        exchanged_client: subject.clientId,
        exchanged_scope: formatScope(subject.scope),
        as: rule.as,
        ...(act === null ? {} : { act }),
      },
    }
  },
}

/** One token has one audience, by whichever of the two names it is asked for. */
function requestedTarget(named: readonly string[]): Result<string | null, Refusal> {
  if (named.some((text) => canonicalUri(text) === null)) return err({ reason: 'resource_malformed' })
  const [first = null, ...others] = named
  return others.every((text) => sameUri(text, first ?? '')) ? ok(first) : err({ reason: 'resource_ambiguous' })
}

/** An access token of ours that is still good; a refresh token is exchanged for nothing but its successor. */
const liveToken = (facts: TokenFacts | null, now: Instant): AccessTokenFacts | null =>
  facts?.kind === 'access' && facts.active && facts.token.expiresAt >= now + leastLeft ? facts.token : null

interface AllowedExchange {
  readonly rule: ExchangeRule
  readonly target: TokenTarget
  /** Whether the new token is for where the presented one was for. */
  readonly sameAudience: boolean
}

/** What the operator allows this client: a row for the audience asked for, else for the presented token's own. */
function allowedExchange(subject: AccessTokenFacts, it: Context): Result<AllowedExchange, Refusal> {
  const identifier = it.params.target ?? subject.audience
  const target = targetOf(identifier, it)
  if (target.kind === 'error') return target
  const rule = it.client.metadata.exchange?.find(({ audience }) => sameUri(audience, identifier))
  if (rule === undefined) return err({ reason: 'exchange_not_allowed' })
  return ok({ rule, target: target.value, sameAudience: isSameAudience(subject, target.value, it) })
}

const isSameAudience = (
  subject: AccessTokenFacts,
  { resource }: TokenTarget,
  { catalogue, issuer }: Context,
): boolean =>
  resource === null ? sameUri(subject.audience, issuer) : findResource(catalogue, subject.audience) === resource

/** Never more than the row allows, the presented token carries (at its own audience) or the person may have (at another). */
function exchangedScope(
  subject: AccessTokenFacts,
  { rule, target, sameAudience }: AllowedExchange,
  { params, catalogue, facts, person }: Context,
): Result<Scope, Refusal> {
  const row: Scope | null = rule.scopes === undefined ? null : new Set(rule.scopes)
  const held = sameAudience ? subject.scope : (row ?? new Set())
  const bounded = row === null ? held : intersect(held, row)
  // Scopes of OIDC open what the issuer knows of a person to the client that was given them, and to no other.
  const most = new Set([...scopeFor(target, bounded, catalogue)].filter((name) => !oidcScopes.has(name)))
  const speaksForPerson = facts.subject?.kind === 'access' && facts.subject.grant !== null
  const possible = speaksForPerson ? personalScope(most, person?.administrator ?? null) : most
  if (params.scope === null) return possible.size === 0 ? err({ reason: 'scope_missing' }) : ok(possible)
  return isWithin(params.scope, possible) ? ok(params.scope) : err({ reason: 'scope_exceeds_exchange' })
}

/** RFC 8693 §4.1: who acts now, and inside who acted before. Null where nobody does. */
function actorChain(subject: AccessTokenFacts, rule: ExchangeRule, it: Context): Result<JsonObject | null, Refusal> {
  const actor = it.params.actorToken === null ? null : liveToken(it.facts.actor, it.now)
  if (it.params.actorToken !== null && actor === null) return err({ reason: 'actor_token_invalid' })
  const acting = { sub: actor?.subject ?? it.client.id, client_id: actor?.clientId ?? it.client.id, iss: it.issuer }
  if (!mayAct(subject.claims['may_act'], acting)) return err({ reason: 'actor_not_allowed' })
  const before = jsonObject(subject.claims['act'])
  // Whoever speaks as the subject alone does not say so; an actor that was named must be.
  if (rule.as === 'impersonate') return actor === null ? ok(before) : err({ reason: 'actor_not_allowed' })
  if (depth(before) >= mostActors) return err({ reason: 'actors_too_many' })
  return ok({ sub: acting.sub, ...(before === null ? {} : { act: before }) })
}

/** RFC 8693 §4.4: where a token says who may act for its subject, nobody else may. */
function mayAct(claim: Json | undefined, acting: Readonly<Record<string, string>>): boolean {
  if (claim === undefined) return true
  const named = Object.entries(jsonObject(claim) ?? {})
  return named.length > 0 && named.every(([name, value]) => acting[name] === value)
}

const depth = (act: JsonObject | null): number => (act === null ? 0 : 1 + depth(jsonObject(act['act'])))

/** RFC 9068 §2.2.1: when and how the person signed in; the new token ends with that session. */
const signInClaims = ({ claims }: AccessTokenFacts): JsonObject =>
  Object.fromEntries(
    ['auth_time', 'acr', 'sid'].flatMap((name) => (claims[name] === undefined ? [] : [[name, claims[name]]])),
  )
