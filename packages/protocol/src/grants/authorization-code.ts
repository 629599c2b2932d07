/** authorization_code — RFC 6749 §4.1.3, RFC 7636 §4.6, RFC 8707 §2.2, RFC 9396 §6. */
import { type AuthorizationDetail, requestedDetails } from '../authorization-details/detail.ts'
import { requestedResource } from '../oauth/audience.ts'
import { answersChallenge, isVerifier } from '../oauth/pkce.ts'
import { matchRedirectUri } from '../oauth/redirect-uri.ts'
import type { Refusal } from '../oauth/refusal.ts'
import type { Handle } from '../types.ts'
import { err, ok } from '../result.ts'
import type { CodeFacts } from './grant.ts'
import { entitlement } from './entitlement.ts'
import { firstRefresh } from './grant-life.ts'
import { type GrantRule, refuse } from './rule.ts'

export interface AuthorizationCodeParams {
  readonly code: Handle
  readonly redirectUri: string | null
  readonly verifier: string | null
  readonly resource: string | null
  readonly authorizationDetails: readonly AuthorizationDetail[] | null
}

export const authorizationCode: GrantRule<AuthorizationCodeParams, { code: 'code' }> = {
  type: 'authorization_code',
  redeems: 'code',

  parse(form, handleOf) {
    const code = form.get('code')
    if (code === undefined) return err({ reason: 'parameter_missing', name: 'code' })
    const verifier = form.get('code_verifier') ?? null
    if (verifier !== null && !isVerifier(verifier)) return err({ reason: 'parameter_malformed', name: 'code_verifier' })
    const resource = requestedResource(form)
    if (resource.kind === 'error') return resource
    const details = requestedDetails(form)
    if (details.kind === 'error') return details
    return ok({
      code: handleOf(code),
      redirectUri: form.get('redirect_uri') ?? null,
      verifier,
      resource: resource.value,
      authorizationDetails: details.value,
    })
  },

  lookups: ({ code }) => ({ code: { find: 'code', by: code } }),

  decide(input) {
    const { params, client, policy, now } = input
    const { code } = input.facts
    if (code === null) return refuse({ reason: 'code_unknown' })
    const { grant } = code
    // Another client can neither use the code, nor use it up, nor end the grant.
    if (grant.clientId !== client.id) return refuse({ reason: 'code_of_another_client' })
    const mismatch = bindingRefusal(code, params)
    // RFC 6749 §4.1.2: a second use revokes everything the first use produced. A request without the right verifier and
    // redirect URI does not count as a use, so whoever merely saw a code cannot end the grant.
    if (code.spentAt !== null)
      return mismatch === null ? refuse({ reason: 'code_replayed' }, { revoke: grant.id }) : refuse(mismatch)
    if (code.expiresAt <= now) return refuse({ reason: 'code_expired' })
    const isUriStillRegistered = matchRedirectUri(code.redirectUri, client.metadata, policy.addresses) !== null
    if (!isUriStillRegistered || grant.sessionEndedAt !== null) return refuse({ reason: 'grant_ended' })
    if (mismatch?.reason === 'verifier_mismatch') return refuse(mismatch, { strike: params.code })
    if (mismatch !== null) return refuse(mismatch)

    const { resource, authorizationDetails } = params
    const granted = entitlement({ grant, held: grant.scope, scope: null, resource, authorizationDetails }, input)
    if (granted.kind === 'error') return refuse(granted.error)
    return {
      do: 'issue',
      ...granted.value,
      spend: { kind: 'code', handle: params.code },
      refresh: firstRefresh(grant, input),
      idToken: granted.value.scope.has('openid') ? { grant, nonce: grant.nonce } : null,
    }
  },
}

/** The code is bound to one redirect URI and one challenge. */
function bindingRefusal(code: CodeFacts, { redirectUri, verifier }: AuthorizationCodeParams): Refusal | null {
  // RFC 6749 §4.1.3: required if the authorization request had it, and must be identical if sent.
  if (redirectUri === null ? code.redirectUriSent : redirectUri !== code.redirectUri)
    return { reason: 'redirect_uri_mismatch' }
  // RFC 9700 §4.8.2: a verifier for a code without challenge indicates a downgrade attack.
  if (code.challenge === null) return verifier === null ? null : { reason: 'verifier_unexpected' }
  if (verifier === null) return { reason: 'verifier_missing' }
  return answersChallenge(verifier, code.challenge) ? null : { reason: 'verifier_mismatch' }
}
