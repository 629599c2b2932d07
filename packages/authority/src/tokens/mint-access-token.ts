/** Makes access tokens: signed by RFC 9068, or opaque, as the resource asks. Nothing here is committed. */
import type { IssueDecision } from '@grantor/protocol/grants'
import {
  type AccessTokenFacts,
  accessTokenClaims,
  audienceOf,
  type Catalogue,
  formatScope,
} from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import type { Instant, JsonObject, TokenId } from '@grantor/protocol/types'
import type { NewOpaqueToken } from '@grantor/store'
import type { Hands } from '../hands.ts'
import { inStep, type Soon } from '../soon.ts'

export interface MintedAccessToken {
  readonly token: string
  readonly facts: AccessTokenFacts
  /** What must be stored for it; null for a JWT, which carries itself. */
  readonly opaque: NewOpaqueToken | null
  readonly expiresIn: number
}

export interface AccessTokenOrder {
  readonly decision: IssueDecision
  readonly catalogue: Catalogue
  readonly client: Client
  readonly now: Instant
}

export function mintAccessToken(order: AccessTokenOrder, hands: Hands): Soon<MintedAccessToken> {
  const { decision, catalogue, now } = order
  const { resource } = decision
  const issuer = hands.issuers.issuerOf(catalogue.tenant.id)
  const expiresIn = resource?.accessTtl ?? hands.policy.accessTtl
  // Whole seconds, as the claims will say them: both formats and the revocation view then agree to the millisecond.
  const issuedAt = issueSecond(now, order.client)
  const facts: AccessTokenFacts = {
    jti: hands.ids.id() as TokenId,
    clientId: order.client.id,
    subject: decision.subject,
    grantId: decision.grantId,
    audience: audienceOf({ resource }, issuer),
    scope: decision.scope,
    issuedAt,
    expiresAt: (issuedAt + expiresIn * 1000) as Instant,
    claims: decision.claims,
  }
  if (resource?.tokenFormat === 'opaque') {
    const token = hands.ids.secret('ga_')
    return { token, facts, opaque: { ...facts, handle: hands.ids.handleOf(token) }, expiresIn }
  }
  const claims = accessTokenClaims(facts, { issuer, tenant: catalogue.tenant.id })
  // Signing is the dearest step of all, and the one that gains most from company.
  return inStep(hands.keyring.signer(catalogue, 'ES256')).then((signer) => {
    const token = signer.sign('at+jwt', claims)
    return { token, facts, opaque: null, expiresIn }
  })
}

/**
 * A change of the client may have cut off all that was issued up to its second (protocol/feed.ts): what is issued in
 * that same second but after the change says the next one, so that it is not taken for one from before.
 */
function issueSecond(now: Instant, { updatedAt, createdAt }: Client): Instant {
  const second = Math.floor(now / 1000) * 1000
  return (updatedAt > createdAt && updatedAt >= second && updatedAt <= now ? second + 1000 : second) as Instant
}

/** RFC 6749 §5.1. */
export const tokenResponse = (
  { token, facts, expiresIn }: MintedAccessToken,
  refresh: string | null,
  idToken: string | null,
): JsonObject => {
  const response = {
    access_token: token,
    token_type: 'Bearer',
    expires_in: expiresIn,
    scope: formatScope(facts.scope),
  }
  if (refresh === null && idToken === null) return response
  return {
    ...response,
    ...(refresh === null ? {} : { refresh_token: refresh }),
    ...(idToken === null ? {} : { id_token: idToken }),
  }
}
