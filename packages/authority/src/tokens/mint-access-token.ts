/** Makes access tokens: signed by RFC 9068, or opaque, as the resource asks. Nothing here is committed. */
import type { IssueDecision } from '@grantor/protocol/grants'
import { jwtType } from '@grantor/protocol/jose'
import {
  type AccessTokenFacts,
  accessTokenClaims,
  audienceOf,
  type Catalogue,
  type Policy,
} from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import type { Instant, TokenId } from '@grantor/protocol/types'
import type { NewOpaqueToken } from '@grantor/store'
import type { Keyring } from '../keys/keyring.ts'
import type { Clock, Ids, Issuers } from '../ports/environment.ts'
import { issueSecond } from './issue-time.ts'

export interface MintedAccessToken {
  readonly token: string
  readonly facts: AccessTokenFacts
  /** What must be stored for it; null for a JWT, which carries itself. */
  readonly opaque: NewOpaqueToken | null
  readonly expiresIn: number
}

export interface AccessTokenDependencies {
  readonly clock: Pick<Clock, 'margin'>
  readonly ids: Ids
  readonly issuers: Issuers
  readonly keyring: Keyring
  readonly policy: Policy
}

export async function mintAccessToken(
  { resource, subject, grantId, scope, details, claims, expiresBy }: IssueDecision,
  { catalogue, client, now }: { readonly catalogue: Catalogue; readonly client: Client; readonly now: Instant },
  { clock, ids, issuers, keyring, policy }: AccessTokenDependencies,
): Promise<MintedAccessToken> {
  const issuer = issuers.issuerOf(catalogue.tenant.id)
  // Whole seconds, as the claims will say them: both formats and the revocation view then agree to the millisecond.
  const issuedAt = issueSecond(now, clock)
  const life = resource?.accessTtl ?? policy.accessTtl
  const expiresIn = expiresBy === undefined ? life : Math.min(life, (expiresBy - issuedAt) / 1000)
  const facts: AccessTokenFacts = {
    jti: ids.id() as TokenId,
    clientId: client.id,
    subject,
    grantId,
    audience: audienceOf({ resource }, issuer),
    scope,
    issuedAt,
    expiresAt: (issuedAt + expiresIn * 1000) as Instant,
    // RFC 9396 §9.1.
    claims: details === undefined ? claims : { ...claims, authorization_details: details },
  }
  if (resource?.tokenFormat === 'opaque') {
    const token = ids.secret('ga_')
    return { token, facts, opaque: { ...facts, handle: ids.handleOf(token) }, expiresIn }
  }
  const payload = accessTokenClaims(facts, { issuer, tenant: catalogue.tenant.id })
  const signer = await keyring.signer(catalogue, 'ES256')
  return { token: signer.sign(resource?.tokenTyp ?? jwtType.access, payload), facts, opaque: null, expiresIn }
}
