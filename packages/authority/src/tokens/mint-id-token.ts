/** Makes the ID token that goes along with an issuance (OIDC Core §3.1.3.3, §12.2). */
import type { IssueDecision } from '@grantor/protocol/grants'
import { jwtType, type SigningAlg } from '@grantor/protocol/jose'
import type { Catalogue, Policy } from '@grantor/protocol/oauth'
import { idTokenClaims, idTokenJti, subjectOf } from '@grantor/protocol/oidc'
import type { Person } from '@grantor/protocol/people'
import type { Client } from '@grantor/protocol/registration'
import type { Instant } from '@grantor/protocol/types'
import type { Keyring } from '../keys/keyring.ts'
import type { Ids, Issuers } from '../ports/environment.ts'

export interface IdTokenContext {
  readonly catalogue: Catalogue
  readonly client: Client
  readonly person: Person | null
  readonly accessToken: string
  readonly now: Instant
}

export interface IdTokenDependencies {
  readonly ids: Pick<Ids, 'id'>
  readonly issuers: Issuers
  readonly keyring: Keyring
  readonly policy: Policy
}

export async function mintIdToken(
  { idToken, scope }: IssueDecision,
  { catalogue, client, person, accessToken, now }: IdTokenContext,
  { ids, issuers, keyring, policy }: IdTokenDependencies,
): Promise<string | null> {
  if (idToken === null || person === null) return null
  const { grant, nonce } = idToken
  const alg = idTokenAlg(client)
  const issuer = issuers.issuerOf(catalogue.tenant.id)
  const subject = subjectOf(grant)
  const ttl = policy.idTokenTtl
  const jti = idTokenJti(grant, ids.id())
  const claims = idTokenClaims({
    issuer,
    grant,
    client,
    scope,
    person,
    subject,
    nonce,
    accessToken,
    alg,
    jti,
    now,
    ttl,
  })
  const signer = await keyring.signer(catalogue, alg)
  return signer.sign(jwtType.id, claims)
}

/** OIDC Core §15.1: RS256 unless the client registered another; registration admits no algorithm that we do not have. */
export const idTokenAlg = ({ metadata }: Client): SigningAlg => metadata.id_token_signed_response_alg ?? 'RS256'
