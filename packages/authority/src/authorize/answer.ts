/** The answer to an authorization request, signed by the tenant's key where the client asked for that (JARM). */
import {
  type AuthorizationOutcome,
  type AuthorizationResponse,
  authorizationResponse,
  isSigned,
  type RedirectTarget,
  signedResponseClaims,
} from '@grantor/protocol/authorize'
import { jwtType, type SigningAlg } from '@grantor/protocol/jose'
import type { Catalogue } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import type { Keyring } from '../keys/keyring.ts'
import type { Clock, Issuers } from '../ports/environment.ts'

export interface AnswerDependencies {
  readonly clock: Clock
  readonly issuers: Issuers
  readonly keyring: Pick<Keyring, 'signer'>
}

export async function answerTo(
  to: Pick<RedirectTarget, 'client' | 'redirectUri' | 'responseMode' | 'state'>,
  outcome: AuthorizationOutcome,
  catalogue: Catalogue,
  { clock, issuers, keyring }: AnswerDependencies,
): Promise<AuthorizationResponse> {
  const issuer = issuers.issuerOf(catalogue.tenant.id)
  if (!isSigned(to.responseMode)) return authorizationResponse(to, issuer, outcome)
  const signer = await keyring.signer(catalogue, responseAlg(to.client))
  const about = { clientId: to.client.id, now: clock.now() }
  return authorizationResponse(to, issuer, outcome, (fields) =>
    signer.sign(jwtType.authorizationResponse, signedResponseClaims(fields, about)),
  )
}

/** JARM §3: RS256 unless the client registered another. */
const responseAlg = ({ metadata }: Client): SigningAlg => metadata.authorization_signed_response_alg ?? 'RS256'
