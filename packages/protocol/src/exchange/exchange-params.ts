/** The parameters of a token exchange: RFC 8693 §2.1. */
import type { Form } from '../oauth/form.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { parseScope, type Scope } from '../oauth/scope.ts'
import { canonicalUri, sameUri } from '../oauth/uri.ts'
import { err, ok, type Result } from '../result.ts'
import type { Handle } from '../types.ts'
import { tokenTypes } from './token-types.ts'

const subjectTypes: ReadonlySet<string> = new Set([tokenTypes.access, tokenTypes.id, tokenTypes.jwt])
const requestedTypes: ReadonlySet<string> = new Set([tokenTypes.access, tokenTypes.jwt, tokenTypes.idJag])

export interface TokenExchangeParams {
  readonly subjectToken: string
  readonly subjectType: string
  /** The handle of a refresh token, for its lookup; null for other tokens. */
  readonly subjectHandle: Handle | null
  readonly actorToken: string | null
  readonly requestedType: string
  /** Null where neither `resource` nor `audience` is sent. */
  readonly target: string | null
  /** For an identity assertion grant, where the two have different meanings. */
  readonly audience: string | null
  readonly resources: readonly string[]
  readonly scope: Scope | null
}

export function exchangeParams(form: Form, handleOf: (secret: string) => Handle): Result<TokenExchangeParams, Refusal> {
  for (const name of ['subject_token', 'subject_token_type'] as const)
    if (form.get(name) === undefined) return err({ reason: 'parameter_missing', name })
  // RFC 9396 §5: an unsupported parameter must not be ignored silently.
  if (form.get('authorization_details') !== undefined) return err({ reason: 'details_exceed_grant' })
  const actorToken = form.get('actor_token') ?? null
  // RFC 8693 §2.1: actor_token and actor_token_type must be sent together.
  if ((actorToken === null) !== (form.get('actor_token_type') === undefined))
    return err({ reason: 'parameter_missing', name: actorToken === null ? 'actor_token' : 'actor_token_type' })
  const unknown = unknownType(form)
  if (unknown !== null) return err(unknown)
  const text = form.get('scope')
  const scope = text === undefined ? null : parseScope(text)
  if (text !== undefined && scope === null) return err({ reason: 'scope_malformed' })
  const [resources, audiences] = [form.all('resource'), form.all('audience')]
  const requestedType = form.get('requested_token_type') ?? tokenTypes.access
  const isIdJag = requestedType === tokenTypes.idJag
  // The draft does not define actors in such a grant; an actor must not be ignored silently.
  if (isIdJag && actorToken !== null) return err({ reason: 'token_type_not_exchanged', name: 'actor_token_type' })
  if (isIdJag && audiences.length === 0) return err({ reason: 'parameter_missing', name: 'audience' })
  const target = requestedTarget(isIdJag ? audiences : [...resources, ...audiences])
  if (target.kind === 'error') return target
  if (resources.some((it) => canonicalUri(it) === null)) return err({ reason: 'resource_malformed' })
  const subjectToken = form.get('subject_token') ?? ''
  const subjectType = form.get('subject_token_type') ?? ''
  const subjectHandle = subjectType === tokenTypes.refresh ? handleOf(subjectToken) : null
  const audience = isIdJag ? target.value : null
  const presented = { subjectToken, subjectType, subjectHandle, actorToken }
  return ok({
    ...presented,
    requestedType,
    target: target.value,
    audience,
    resources: [...new Set(resources)],
    scope,
  })
}

/**
 * A refresh token represents the person's sign-in, so it is accepted for another server's grant; for our own tokens it
 * has its own grant type.
 */
function unknownType(form: Form): Refusal | null {
  const subjects =
    form.get('requested_token_type') === tokenTypes.idJag
      ? new Set<string>([tokenTypes.id, tokenTypes.refresh])
      : subjectTypes
  const actors = new Set<string>([tokenTypes.access, tokenTypes.jwt])
  const known = { subject_token_type: subjects, actor_token_type: actors, requested_token_type: requestedTypes }
  for (const [name, types] of Object.entries(known))
    if (form.get(name) !== undefined && !types.has(form.get(name) ?? ''))
      return { reason: 'token_type_not_exchanged', name }
  return null
}

/** A token has one audience, by whichever of the two parameters it is requested. */
function requestedTarget(named: readonly string[]): Result<string | null, Refusal> {
  if (named.some((text) => canonicalUri(text) === null)) return err({ reason: 'resource_malformed' })
  const [first = null, ...others] = named
  return others.every((text) => sameUri(text, first ?? '')) ? ok(first) : err({ reason: 'resource_ambiguous' })
}
