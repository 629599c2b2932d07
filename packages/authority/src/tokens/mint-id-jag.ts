/** Makes identity assertion grants for other authorization servers (draft-ietf-oauth-identity-assertion-authz-grant §3). */
import { idJagLife, type IssueDecision } from '@grantor/protocol/grants'
import { jwtType } from '@grantor/protocol/jose'
import { type AccessTokenFacts, type Catalogue, formatScope, seconds } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import type { Instant, TokenId } from '@grantor/protocol/types'
import { issueSecond } from './issue-time.ts'
import type { AccessTokenDependencies, MintedAccessToken } from './mint-access-token.ts'

interface IdJagFacts {
  readonly catalogue: Catalogue
  readonly client: Client
  readonly now: Instant
}

/** The grant takes the place of an access token in the answer and in the log, and gives no access here. */
export async function mintIdJag(
  {
    idJag,
    subject,
    grantId,
    scope,
    claims,
    expiresBy = Infinity as Instant,
  }: IssueDecision & Required<Pick<IssueDecision, 'idJag'>>,
  { catalogue, client, now }: IdJagFacts,
  { clock, ids, issuers, keyring }: AccessTokenDependencies,
): Promise<MintedAccessToken> {
  const issuedAt = issueSecond(now, clock)
  const expiresIn = Math.min(idJagLife, Math.floor((expiresBy - issuedAt) / 1000))
  const facts: AccessTokenFacts = {
    jti: ids.id() as TokenId,
    clientId: client.id,
    subject,
    grantId,
    audience: idJag.audience,
    scope,
    issuedAt,
    expiresAt: (issuedAt + expiresIn * 1000) as Instant,
    claims,
  }
  const signer = await keyring.signer(catalogue, 'ES256')
  const token = signer.sign(jwtType.idJag, {
    iss: issuers.issuerOf(catalogue.tenant.id),
    sub: subject,
    aud: idJag.audience,
    client_id: idJag.clientId,
    iat: seconds(issuedAt),
    exp: seconds(facts.expiresAt),
    jti: facts.jti,
    ...(scope.size === 0 ? {} : { scope: formatScope(scope) }),
    ...claims,
  })
  return { token, facts, opaque: null, expiresIn }
}
