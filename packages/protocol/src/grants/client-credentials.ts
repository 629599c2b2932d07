/** client_credentials — RFC 6749 §4.4. No resource owner, no consent, no refresh token (§4.4.3). */
import { isPublic } from '../registration/client.ts'
import { type AccessParams, accessParams, ownAccess } from './own-access.ts'
import { type GrantRule, refuse } from './rule.ts'

export type ClientCredentialsParams = AccessParams
type NoLookups = Readonly<Record<string, never>>

export const clientCredentials: GrantRule<ClientCredentialsParams, NoLookups> = {
  type: 'client_credentials',
  parse: accessParams,
  lookups: () => ({}),

  decide(input) {
    // RFC 6749 §4.4: the grant "MUST only be used by confidential clients".
    if (isPublic(input.client)) return refuse({ reason: 'public_client_has_no_credentials' })
    const access = ownAccess(input)
    if (access.kind === 'error') return refuse(access.error)
    return {
      do: 'issue',
      grantId: null,
      subject: input.client.id,
      ...access.value,
      claims: {},
      spend: null,
      refresh: null,
      idToken: null,
    }
  },
}
