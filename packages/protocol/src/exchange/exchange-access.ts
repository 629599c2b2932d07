/** The access that an exchange may give: a rule of the client's policy, and the scope within it. */
import { scopeFor, targetOf, type TokenTarget } from '../oauth/audience.ts'
import { findResource } from '../oauth/catalogue.ts'
import { personalScope, withoutIssuerScopes } from '../oauth/personal-scope.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { intersect, isWithin, type Scope } from '../oauth/scope.ts'
import { sameUri } from '../oauth/uri.ts'
import { oidcScopes } from '../oidc/scopes.ts'
import type { GrantInput, Lookups } from '../grants/rule.ts'
import type { ExchangeRule } from '../registration/exchange-policy.ts'
import { err, ok, type Result } from '../result.ts'
import type { TokenExchangeParams } from './exchange-params.ts'
import type { ExchangeSubject } from './exchange-subject.ts'

type ExchangeContext = GrantInput<TokenExchangeParams, Lookups>

export interface AllowedExchange {
  readonly rule: ExchangeRule
  readonly target: TokenTarget
  /** Whether the new token has the same audience as the presented one. */
  readonly sameAudience: boolean
}

/** The operator's rule for this client: for the requested audience, else for that of the presented token. */
export function allowedExchange(subject: ExchangeSubject, input: ExchangeContext): Result<AllowedExchange, Refusal> {
  const identifier = input.params.target ?? subject.audience
  if (identifier === null) return err({ reason: 'parameter_missing', name: 'audience' })
  const target = targetOf(identifier, input)
  if (target.kind === 'error') return target
  const rule = input.client.metadata.exchange?.find(({ audience }) => sameUri(audience, identifier))
  if (rule === undefined) return err({ reason: 'exchange_not_allowed' })
  return ok({ rule, target: target.value, sameAudience: isSameAudience(subject, target.value, input) })
}

function isSameAudience(
  { audience }: ExchangeSubject,
  { resource }: TokenTarget,
  { catalogue, issuer }: ExchangeContext,
): boolean {
  if (audience === null) return false
  return resource === null ? sameUri(audience, issuer) : findResource(catalogue, audience) === resource
}

/**
 * Never more than the rule allows, and than the presented token has (at its own audience) or its subject may have (at
 * another).
 */
export function exchangedScope(
  subject: ExchangeSubject,
  { rule, target, sameAudience }: AllowedExchange,
  { params, catalogue, person }: ExchangeContext,
): Result<Scope, Refusal> {
  const row: Scope | null = rule.scopes === undefined ? null : new Set(rule.scopes)
  const held = sameAudience ? subject.scope : (row ?? new Set())
  // Scopes of the issuer itself must be named in the rule: whoever may write clients decides about them.
  const bounded = row === null ? withoutIssuerScopes(held) : intersect(held, row)
  const within = subject.most === null ? bounded : intersect(bounded, subject.most)
  // Scopes of OIDC give access to the issuer's data about a person, only for the client that was granted them.
  const most = new Set([...scopeFor(target, within, catalogue)].filter((name) => !oidcScopes.has(name)))
  const possible = subject.isPerson ? personalScope(most, person ?? null, catalogue) : most
  if (params.scope === null) return possible.size === 0 ? err({ reason: 'scope_missing' }) : ok(possible)
  return isWithin(params.scope, possible) ? ok(params.scope) : err({ reason: 'scope_exceeds_exchange' })
}
