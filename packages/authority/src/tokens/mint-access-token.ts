/** Makes access tokens: JWTs of RFC 9068 or opaque ones, as the resource requires. Nothing is committed here. */
import { claimsForResource } from '@grantor/protocol/claims'
import type { IssueDecision } from '@grantor/protocol/grants'
import { jwtType } from '@grantor/protocol/jose'
import {
  type AccessTokenFacts,
  accessTokenClaims,
  audienceOf,
  type Catalogue,
  type Policy,
} from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { Client } from '@grantor/protocol/registration'
import { statusClaim, statusListUri } from '@grantor/protocol/status-list'
import type { Instant, TokenId } from '@grantor/protocol/types'
import type { NewOpaqueToken, StatusEntry } from '@grantor/store'
import type { Keyring } from '../keys/keyring.ts'
import type { Clock, Ids, Issuers } from '../ports/environment.ts'
import type { StatusIndexes } from '../status-lists/status-indexes.ts'
import { issueSecond } from './issue-time.ts'

export interface MintedAccessToken {
  readonly token: string
  readonly facts: AccessTokenFacts
  /** The row to store for an opaque token; null for a JWT, which needs none. */
  readonly opaque: NewOpaqueToken | null
  /** The token's entry in a status list, where its resource uses one. It is stored with the token. */
  readonly statusEntry?: StatusEntry
  readonly expiresIn: number
}

export interface AccessTokenDependencies {
  readonly clock: Pick<Clock, 'margin'>
  readonly ids: Ids
  readonly issuers: Issuers
  readonly keyring: Keyring
  readonly policy: Policy
  readonly statusIndexes: StatusIndexes
}

interface MintingFacts {
  readonly catalogue: Catalogue
  readonly client: Client
  /** The person for whom the token speaks; null for the client itself. */
  readonly person: Person | null
  readonly now: Instant
}

export async function mintAccessToken(
  { resource, subject, grantId, scope, details, claims, expiresBy }: IssueDecision,
  { catalogue, client, person, now }: MintingFacts,
  deps: AccessTokenDependencies,
): Promise<MintedAccessToken> {
  const { clock, ids, issuers, keyring, policy } = deps
  const issuer = issuers.issuerOf(catalogue.tenant.id)
  // Whole seconds, as in the claims, so that both formats and the revocation view agree to the millisecond.
  const issuedAt = issueSecond(now, clock)
  const life = resource?.accessTtl ?? policy.accessTtl
  // RFC 6749 appendix A.14: expires_in is digits only, but the expiry of another issuer may have a fraction of a
  // second.
  const expiresIn = expiresBy === undefined ? life : Math.min(life, Math.floor((expiresBy - issuedAt) / 1000))
  // Claims of the protocol override those that the resource maps.
  const ownClaims =
    resource?.claimMappings === undefined
      ? claims
      : { ...claimsForResource(resource, { person, scope, catalogue }), ...claims }
  const plain: AccessTokenFacts = {
    jti: ids.id() as TokenId,
    clientId: client.id,
    subject,
    grantId,
    audience: audienceOf({ resource }, issuer),
    scope,
    issuedAt,
    expiresAt: (issuedAt + expiresIn * 1000) as Instant,
    // RFC 9396 §9.1.
    claims: details === undefined ? ownClaims : { ...ownClaims, authorization_details: details },
  }
  const listed = resource?.statusList === true ? await listedToken(plain, catalogue, deps) : null
  const facts = listed?.facts ?? plain
  const kept = listed === null ? {} : { statusEntry: listed.statusEntry }
  if (resource?.tokenFormat === 'opaque') {
    const token = ids.secret('ga_')
    return { token, facts, opaque: { ...facts, handle: ids.handleOf(token) }, ...kept, expiresIn }
  }
  const payload = accessTokenClaims(facts, { issuer, tenant: catalogue.tenant.id })
  const signer = await keyring.signer(catalogue, 'ES256')
  return { token: signer.sign(resource?.tokenTyp ?? jwtType.access, payload), facts, opaque: null, ...kept, expiresIn }
}

/** draft-ietf-oauth-status-list §6.1: the token names its status list and index; an index is never reused. */
async function listedToken(
  facts: AccessTokenFacts,
  catalogue: Catalogue,
  { statusIndexes, issuers }: AccessTokenDependencies,
): Promise<{ readonly facts: AccessTokenFacts; readonly statusEntry: StatusEntry }> {
  const place = await statusIndexes.take(catalogue, facts.expiresAt)
  const uri = statusListUri(issuers.issuerOf(catalogue.tenant.id), place.list)
  const { clientId, grantId, issuedAt, claims } = facts
  const { sid } = claims
  return {
    facts: { ...facts, claims: { ...claims, status: statusClaim({ uri, idx: place.idx }) } },
    statusEntry: { ...place, clientId, grantId, sessionId: typeof sid === 'string' ? sid : null, issuedAt },
  }
}
