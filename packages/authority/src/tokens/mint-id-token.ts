/** Makes the ID token that goes along with an issuance (OIDC Core §3.1.3.3, §12.2). */
import type { IssueDecision } from '@grantor/protocol/grants'
import { jwtType, type SigningAlg } from '@grantor/protocol/jose'
import type { Catalogue } from '@grantor/protocol/oauth'
import { idTokenClaims, subjectOf } from '@grantor/protocol/oidc'
import type { Person } from '@grantor/protocol/people'
import type { Client } from '@grantor/protocol/registration'
import type { Instant } from '@grantor/protocol/types'
import type { Hands } from '../hands.ts'
import { type Soon, whenThere } from '../soon.ts'

export interface IdTokenOrder {
  readonly decision: IssueDecision
  readonly catalogue: Catalogue
  readonly client: Client
  readonly person: Person | null
  readonly accessToken: string
  readonly now: Instant
}

export function mintIdToken(order: IdTokenOrder, hands: Hands): Soon<string | null> {
  const { decision, catalogue, client, person } = order
  if (decision.idToken === null || person === null) return null
  const { grant, nonce } = decision.idToken
  const alg = idTokenAlg(client)
  const claims = idTokenClaims({
    issuer: hands.issuers.issuerOf(catalogue.tenant.id),
    grant,
    person,
    subject: subjectOf(grant),
    nonce,
    accessToken: order.accessToken,
    alg,
    now: order.now,
    ttl: hands.policy.idTokenTtl,
  })
  return whenThere(hands.keyring.signer(catalogue, alg), (signer) => signer.sign(jwtType.id, claims))
}

/** OIDC Core §15.1: RS256 unless the client registered another; registration admits no algorithm that we do not have. */
const idTokenAlg = ({ metadata }: Client): SigningAlg => metadata.id_token_signed_response_alg ?? 'RS256'
