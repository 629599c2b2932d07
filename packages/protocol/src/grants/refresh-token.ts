/**
 * refresh_token — RFC 6749 §6; rotation and replay: RFC 9700 §4.14.2; one successor, retries allowed:
 * docs/conventions.md.
 */
import { type AuthorizationDetail, requestedDetails } from '../authorization-details/detail.ts'
import { requestedResource } from '../oauth/audience.ts'
import { parseScope, type Scope } from '../oauth/scope.ts'
import type { Handle, Secret } from '../types.ts'
import { err, ok } from '../result.ts'
import type { RefreshFacts } from './grant.ts'
import { entitlement } from './entitlement.ts'
import { refreshEnd } from './grant-life.ts'
import { beginsBinding, isRetry, isSameHolder, retryRefusal, spentFor } from './retry.ts'
import { profileOf } from '../registration/profiles.ts'
import { type GrantDecision, type GrantRule, refuse } from './rule.ts'

export interface RefreshTokenParams {
  readonly token: Secret
  readonly handle: Handle
  /** Null where the request names none. */
  readonly scope: Scope | null
  readonly resource: string | null
  readonly authorizationDetails: readonly AuthorizationDetail[] | null
}

export const refreshToken: GrantRule<RefreshTokenParams, { refresh: 'refresh' }> = {
  type: 'refresh_token',
  redeems: 'refresh',

  parse(form, handleOf) {
    const token = form.get('refresh_token')
    if (token === undefined) return err({ reason: 'parameter_missing', name: 'refresh_token' })
    const text = form.get('scope')
    const scope = text === undefined ? null : parseScope(text)
    if (text !== undefined && scope === null) return err({ reason: 'scope_malformed' })
    const resource = requestedResource(form)
    if (resource.kind === 'error') return resource
    const details = requestedDetails(form)
    if (details.kind === 'error') return details
    return ok({
      token: token as Secret,
      handle: handleOf(token),
      scope,
      resource: resource.value,
      authorizationDetails: details.value,
    })
  },

  lookups: ({ handle }) => ({ refresh: { find: 'refresh', by: handle } }),

  decide(input) {
    const { params, client, policy, now } = input
    const { refresh: held } = input.facts
    if (held === null) return refuse({ reason: 'refresh_unknown' })
    const { grant } = held
    // Another client can neither use the token nor, by presenting it, end the grant.
    if (grant.clientId !== client.id) return refuse({ reason: 'refresh_of_another_client' })
    if (grant.revokedAt !== null) return refuse({ reason: 'grant_ended' })
    // FAPI 2.0 §5.3.2.1: refresh tokens of such clients are not rotated. A token that was rotated before the client had
    // that profile, and is presented now, is a replay like any other.
    if (!profileOf(client).rotates && held.spentAt === null) return issueWithoutRotation(input, held)
    const retry = isRetry(held, policy, now) && isSameHolder(input, grant)
    // RFC 9700 §4.14.2: two parties hold this token; nobody can tell which one is the thief.
    if (held.spentAt !== null && !retry) return refuse({ reason: 'refresh_replayed' }, { revoke: grant.id })
    if (held.expiresAt <= now) return refuse({ reason: 'refresh_expired' })

    const granted = entitlement({ ...params, grant, held: held.scope }, input)
    if (granted.kind === 'error') return refuse(granted.error)
    const different = retry
      ? retryRefusal({ before: held.spentFor, asked: params, issued: granted.value }, input.issuer)
      : null
    if (different !== null) return refuse(different)
    return {
      do: 'issue',
      ...granted.value,
      spend: retry
        ? { kind: 'retry', handle: params.handle }
        : {
            kind: 'refresh',
            handle: params.handle,
            spentFor: spentFor(granted.value, input.issuer, beginsBinding(input, grant)),
          },
      // RFC 6749 §6: narrowing is for this access token; the new refresh token has the scope of the old one.
      refresh: {
        scope: held.scope,
        expiresAt: refreshEnd(grant, policy, now),
        successorOf: { token: params.token, salt: held.salt },
      },
      // OIDC Core §12.2: a refreshed ID token has no nonce.
      idToken: granted.value.scope.has('openid') ? { grant, nonce: null } : null,
    }
  },
}

/** Without rotation the presented token stays valid: it is not spent, and no new one is issued. */
function issueWithoutRotation(input: Parameters<typeof refreshToken.decide>[0], held: RefreshFacts): GrantDecision {
  if (held.expiresAt <= input.now) return refuse({ reason: 'refresh_expired' })
  const granted = entitlement({ ...input.params, grant: held.grant, held: held.scope }, input)
  if (granted.kind === 'error') return refuse(granted.error)
  const idToken = granted.value.scope.has('openid') ? { grant: held.grant, nonce: null } : null
  return { do: 'issue', ...granted.value, spend: null, refresh: null, idToken }
}
