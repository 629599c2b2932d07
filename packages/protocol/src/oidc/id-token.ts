/** The claims of an ID token: OIDC Core §2, §3.1.3.6. It describes a sign-in and never gives access. */
import { hash } from 'node:crypto'
import { claimsForClient } from '../claims/mapped-claims.ts'
import { sidOf } from './subject.ts'
import { requestedIdTokenClaims, scopeClaimsOf } from './userinfo.ts'
import type { Grant } from '../grants/grant.ts'
import type { SigningAlg } from '../jose/algorithms.ts'
import type { Scope } from '../oauth/scope.ts'
import type { Person } from '../people/person.ts'
import { type Client, registeredScope } from '../registration/client.ts'
import type { Instant, JsonObject } from '../types.ts'
import { seconds } from '../oauth/access-token.ts'

export interface IdTokenInput {
  readonly issuer: string
  readonly grant: Pick<Grant, 'authentication' | 'clientId' | 'claims' | 'pairwiseSid'>
  readonly client: Client
  /** The scope of the access token issued with it. */
  readonly scope: Scope
  readonly person: Person
  /** The `sub` by which this client knows the person. */
  readonly subject: string
  readonly nonce: string | null
  readonly accessToken: string | null
  readonly alg: SigningAlg
  /** Its unique id, which includes that of its grant. */
  readonly jti: string
  readonly now: Instant
  /** Seconds. */
  readonly ttl: number
}

/** Contains no claim of our own (tenant, grant_id), and no `azp`, because there is one audience. */
export function idTokenClaims(it: IdTokenInput): JsonObject {
  const { authentication, clientId, claims } = it.grant
  const atHash = it.accessToken === null ? null : halfHash(it.accessToken, it.alg)
  return {
    // §5.4 puts them into userinfo; the client registered to have them here, because it reads nothing else.
    ...(it.client.metadata.id_token_scope_claims === true ? scopeClaimsOf(it.person, it.scope) : {}),
    ...requestedIdTokenClaims(it.person, claims, registeredScope(it.client)),
    ...claimsForClient(it.client, { ...it, into: 'id_token' }),
    iss: it.issuer,
    sub: it.subject,
    aud: clientId,
    iat: seconds(it.now),
    exp: seconds(it.now) + it.ttl,
    auth_time: seconds(authentication.at),
    acr: authentication.acr,
    amr: [...authentication.amr],
    sid: sidOf(it.grant),
    jti: it.jti,
    ...(it.nonce === null ? {} : { nonce: it.nonce }),
    ...(atHash === null ? {} : { at_hash: atHash }),
  }
}

/** The hash of each signature algorithm. None is defined for ML-DSA, and at_hash is optional in the code flow. */
const hashOf: Readonly<Record<SigningAlg, 'sha256' | 'sha512' | null>> = {
  ES256: 'sha256',
  RS256: 'sha256',
  PS256: 'sha256',
  EdDSA: 'sha512',
  'ML-DSA-44': null,
  'ML-DSA-65': null,
  'ML-DSA-87': null,
}

/** OIDC Core §3.1.3.6: the left half of the hash, base64url. */
export function halfHash(text: string, alg: SigningAlg): string | null {
  const algorithm = hashOf[alg]
  if (algorithm === null) return null
  const digest = hash(algorithm, text, 'buffer')
  return digest.subarray(0, digest.length / 2).toString('base64url')
}
