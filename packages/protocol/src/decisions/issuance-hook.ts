/** The request to a hook about a token that is about to be issued, and its answer (docs/policy.md). */
import { isReservedClaim } from '../claims/reserved-claims.ts'
import { parseScope, type Scope } from '../oauth/scope.ts'
import { oidcScopes } from '../oidc/scopes.ts'
import { type Instant, isJsonObject, type Json, type JsonObject } from '../types.ts'
import { plainReason } from './authzen.ts'
import type { IssuanceHook } from './decision-point.ts'
import { type IssuanceQuestion, personOf, signInOf } from './issuance-question.ts'

export const issuanceHookType = 'token.issuing'

/** The body of the request: a type for authors of hooks. */
export type IssuanceHookRequest = {
  readonly type: typeof issuanceHookType
  /** RFC 3339. */
  readonly timestamp: string
  readonly tenant: string
  readonly data: {
    readonly issuer: string
    readonly grant_type: string
    readonly client_id: string
    readonly client_name: string | null
    readonly resource: string
    readonly scope: string
    readonly subject: string
    /** Null where the client acts for itself. */
    readonly user: {
      readonly username: string
      readonly roles: readonly string[]
      readonly groups: readonly string[]
      readonly attributes: JsonObject
    } | null
    readonly acr?: Json
    readonly auth_time?: Json
  }
}

/** The answer of the hook, as `application/json` with status 200. */
export type IssuanceHookAnswer =
  | { readonly decision: 'deny'; readonly reason?: string }
  | {
      readonly decision: 'allow'
      /** Only names that are declared for the hook. */
      readonly claims?: Readonly<Record<string, Json>>
      /** A subset of the API's scopes in the token, separated by spaces. */
      readonly scope?: string
    }

export const issuanceHookRequest = (it: IssuanceQuestion, now: Instant): IssuanceHookRequest => ({
  type: issuanceHookType,
  timestamp: new Date(now).toISOString(),
  tenant: it.tenant,
  data: {
    issuer: it.issuer,
    grant_type: it.grantType,
    client_id: it.client.id,
    client_name: it.client.metadata.client_name ?? null,
    resource: it.resource.identifier,
    scope: [...it.scope].toSorted().join(' '),
    subject: it.subject,
    user: it.person === null ? null : (personOf(it) as NonNullable<IssuanceHookRequest['data']['user']>),
    ...signInOf(it),
  },
})

export type HookVerdict =
  | { readonly decision: 'deny'; readonly reason: string | null }
  | { readonly decision: 'allow'; readonly claims: JsonObject; readonly scope: Scope }

interface HookContext {
  readonly hook: IssuanceHook
  readonly scope: Scope
}

/** Null for an invalid answer: with an unknown member, an undeclared claim, or a scope that the token did not have. */
export function readHookAnswer(answer: unknown, { hook, scope }: HookContext): HookVerdict | null {
  if (!isJsonObject(answer)) return null
  const { decision, reason, claims = {}, scope: kept, ...more }: JsonObject = answer
  if (Object.keys(more).length > 0) return null
  if (decision === 'deny') {
    const isPlain = reason === undefined || typeof reason === 'string'
    return isPlain ? { decision, reason: reason === undefined ? null : plainReason(reason) } : null
  }
  if (decision !== 'allow' || reason !== undefined || !isJsonObject(claims)) return null
  const left = kept === undefined ? scope : keptScope(kept, scope)
  return left === null || !mayAdd(claims, hook) ? null : { decision, claims, scope: left }
}

/** The scopes of OpenID Connect always stay; scopes of the API can only be removed. */
function keptScope(kept: Json, scope: Scope): Scope | null {
  const named = typeof kept === 'string' ? parseScope(kept) : null
  return named === null || !named.isSubsetOf(scope) ? null : scope.intersection(oidcScopes).union(named)
}

const mayAdd = (claims: JsonObject, { claims: allowed = [] }: IssuanceHook): boolean =>
  Object.keys(claims).every((name) => allowed.includes(name) && !isReservedClaim(name)) &&
  Buffer.byteLength(JSON.stringify(claims)) <= 4096
