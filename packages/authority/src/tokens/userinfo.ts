/** GET and POST /userinfo, without HTTP (OIDC Core §5.3). Any living access token of ours with scope openid opens it. */
import { jwtType } from '@grantor/protocol/jose'
import { type AccessTokenFacts, type Catalogue, isTokenActive, tokenShape } from '@grantor/protocol/oauth'
import { mayReadUserinfo, subjectOf, userinfo as tell } from '@grantor/protocol/oidc'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import type { Origin } from '../events.ts'
import type { Hands } from '../hands.ts'
import { findPresentedToken } from './presented-token.ts'
import { tokenStatusOf } from './status.ts'
import { isOutage } from '../retry-stale.ts'

export interface UserinfoResponse {
  readonly claims: JsonObject
  /** The same as a JWT, for a client that registered userinfo_signed_response_alg. */
  readonly signed: string | null
}

/** What RFC 6750 §3.1 calls the trouble with a presented token. */
export type UserinfoError = 'invalid_token' | 'insufficient_scope' | 'unavailable'

export type UserinfoResult = Result<UserinfoResponse, UserinfoError>

export async function userinfo(token: string, origin: Origin, hands: Hands): Promise<UserinfoResult> {
  try {
    const catalogue = await hands.directory.currentCatalogue(origin.tenant)
    if (catalogue === null || catalogue.tenant.disabledAt !== null) return err('invalid_token')
    const facts = await activeToken(token, catalogue, hands)
    if (facts === null) return err('invalid_token')
    if (!mayReadUserinfo(facts)) return err('insufficient_scope')
    return await userinfoOf(facts, catalogue, hands)
  } catch (cause) {
    if (isOutage(cause)) return err('unavailable')
    throw cause
  }
}

async function userinfoOf(facts: AccessTokenFacts, catalogue: Catalogue, hands: Hands): Promise<UserinfoResult> {
  const tenant = catalogue.tenant.id
  const grant = facts.grantId === null ? null : await hands.store.grants.find(tenant, facts.grantId)
  const person = grant === null ? null : await hands.people.find(tenant, grant.authentication.subject)
  // A token of a client itself speaks for nobody.
  if (grant === null || person === null) return err('insufficient_scope')
  const claims = tell({ person, subject: subjectOf(grant), scope: facts.scope, claims: grant.claims })
  return ok({ claims, signed: await signedFor(facts.clientId, claims, { catalogue, hands }) })
}

/** OIDC Core §5.3.2: a signed answer says who speaks, and to whom. */
async function signedFor(
  clientId: string,
  claims: JsonObject,
  { catalogue, hands }: { readonly catalogue: Catalogue; readonly hands: Hands },
): Promise<string | null> {
  const { id: tenant } = catalogue.tenant
  const client =
    hands.directory.cachedClient(tenant, clientId) ?? (await hands.directory.currentClient(tenant, clientId))
  const alg = client?.metadata.userinfo_signed_response_alg
  if (alg === undefined) return null
  const signer = await hands.keyring.signer(catalogue, alg)
  return signer.sign(jwtType.id, { ...claims, iss: hands.issuers.issuerOf(tenant), aud: clientId })
}

/** The facts of an access token that lives; null for everything else. ID tokens are never access tokens. */
async function activeToken(token: string, catalogue: Catalogue, hands: Hands): Promise<AccessTokenFacts | null> {
  const found = await findPresentedToken({ token, shape: tokenShape(token) }, catalogue, hands)
  if (found.kind !== 'access') return null
  const status = await tokenStatusOf(found.token, catalogue, hands)
  return isTokenActive(found.token, status, hands.clock.now()) ? found.token : null
}
