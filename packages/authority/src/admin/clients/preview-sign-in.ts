/** What would accompany the access token of a person who signs in: the ID token, and the answer of `/userinfo`. */
import { claimsForClient } from '@grantor/protocol/claims'
import type { Policy, Scope } from '@grantor/protocol/oauth'
import { idTokenClaims, mayReadUserinfo, userinfo } from '@grantor/protocol/oidc'
import type { Person } from '@grantor/protocol/people'
import { type Client, registeredScope } from '@grantor/protocol/registration'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { idTokenAlg } from '../../tokens/mint-id-token.ts'
import { subjectFor } from '../../tokens/subject-for.ts'

/** A placeholder for values that only an issued token has. */
export const onlyIssued = '…'

export interface SignInPreview {
  readonly idToken: JsonObject
  readonly userinfo: JsonObject
}

interface SignedIn {
  readonly client: Client
  readonly person: Person
  /** The scope of the access token. */
  readonly scope: Scope
  readonly issuer: string
  readonly now: Instant
}

/** Null without `openid`: there is neither then. */
export function signInPreview(
  { client, person, scope, issuer, now }: SignedIn,
  { policy, store }: { readonly policy: Policy; readonly store: Pick<Store, 'keys'> },
): SignInPreview | null {
  if (!mayReadUserinfo({ scope })) return null
  const subject = subjectFor(client, person.id, store) ?? person.id
  const authentication = { subject: person.id, sessionId: onlyIssued, at: now, acr: onlyIssued, amr: [onlyIssued] }
  const grant = { authentication, clientId: client.id, claims: null, pairwiseSid: null }
  const idToken = idTokenClaims({
    issuer,
    grant,
    client,
    scope,
    person,
    subject,
    nonce: null,
    accessToken: null,
    alg: idTokenAlg(client),
    jti: onlyIssued,
    now,
    ttl: policy.idTokenTtl,
  })
  const registered = registeredScope(client)
  const mapped = claimsForClient(client, { person, scope, into: 'userinfo' })
  return {
    idToken: { ...idToken, at_hash: onlyIssued },
    userinfo: userinfo({ person, subject, scope, claims: null, registered, mapped }),
  }
}
