/**
 * GET and POST /userinfo, without HTTP (OIDC Core §5.3). It accepts any active access token of ours with scope openid.
 */
import { claimsForClient } from '@grantor/protocol/claims'
import { jwtType } from '@grantor/protocol/jose'
import { type AccessTokenFacts, type Catalogue, intersect, noScope, tokenShape } from '@grantor/protocol/oauth'
import { mayReadUserinfo, subjectOf, userinfo } from '@grantor/protocol/oidc'
import { type Client, registeredScope } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Json, JsonObject } from '@grantor/protocol/types'
import type { Origin } from '../events.ts'
import type { Keyring } from '../keys/keyring.ts'
import { isOutage } from '../outage.ts'
import type { Clock } from '../ports/environment.ts'
import { findPresentedToken, type PresentedTokenDependencies } from './presented-token.ts'
import { isActive, type TokenStatusDependencies } from './status.ts'

export interface UserinfoResponse {
  readonly claims: JsonObject
  /** The same claims as a JWT, for a client that registered userinfo_signed_response_alg. */
  readonly signed: string | null
}

/** Why a presented token is refused, in the terms of RFC 6750 §3.1. */
export type UserinfoError = 'invalid_token' | 'insufficient_scope' | 'unproven' | 'unavailable'

/**
 * Whether the caller has proven the key that the token's `cnf` names; `cnf` is undefined for a token bound to no key.
 */
export type IsProven = (cnf: Json | undefined, clientId: string) => boolean | Promise<boolean>

export type UserinfoResult = Result<UserinfoResponse, UserinfoError>

export type UserinfoDependencies = PresentedTokenDependencies &
  TokenStatusDependencies & { readonly clock: Clock; readonly keyring: Keyring }

export const openUserinfo =
  (deps: UserinfoDependencies) =>
  async (
    token: string,
    { tenant }: Origin,
    isProven: IsProven = (cnf) => cnf === undefined,
  ): Promise<UserinfoResult> => {
    try {
      const catalogue = await deps.directory.servedCatalogue(tenant)
      if (catalogue === null) return err('invalid_token')
      const facts = await activeToken(token, catalogue, deps)
      if (facts === null) return err('invalid_token')
      if (!(await isProven(facts.claims['cnf'], facts.clientId))) return err('unproven')
      if (!mayReadUserinfo(facts)) return err('insufficient_scope')
      return await userinfoOf(facts, catalogue, deps)
    } catch (cause) {
      if (isOutage(cause)) return err('unavailable')
      throw cause
    }
  }

async function userinfoOf(
  facts: AccessTokenFacts,
  catalogue: Catalogue,
  deps: UserinfoDependencies,
): Promise<UserinfoResult> {
  const tenant = catalogue.tenant.id
  const grant = facts.grantId === null ? null : await deps.store.grants.find(tenant, facts.grantId)
  const person = grant === null ? null : await deps.people.find(tenant, grant.authentication.subject)
  // A client's own token speaks for no person.
  if (grant === null || person === null) return err('insufficient_scope')
  const client = await deps.directory.client(tenant, facts.clientId)
  const registered = client === null ? noScope : registeredScope(client)
  const { scope } = facts
  if (!mayReadUserinfo({ scope: intersect(scope, registered) })) return err('insufficient_scope')
  const mapped = client === null ? {} : claimsForClient(client, { person, scope, into: 'userinfo' })
  const claims = userinfo({ person, subject: subjectOf(grant), scope, claims: grant.claims, registered, mapped })
  return ok({ claims, signed: await signedFor(client, { claims, catalogue }, deps) })
}

/** OIDC Core §5.3.2: a signed answer names its issuer and its audience. */
async function signedFor(
  client: Client | null,
  { claims, catalogue }: { readonly claims: JsonObject; readonly catalogue: Catalogue },
  { issuers, keyring }: UserinfoDependencies,
): Promise<string | null> {
  const alg = client?.metadata.userinfo_signed_response_alg
  if (client === null || alg === undefined) return null
  const signer = await keyring.signer(catalogue, alg)
  return signer.sign(jwtType.id, { ...claims, iss: issuers.issuerOf(catalogue.tenant.id), aud: client.id })
}

/** The facts of an active access token; null for everything else. An ID token is never an access token. */
async function activeToken(
  token: string,
  catalogue: Catalogue,
  deps: UserinfoDependencies,
): Promise<AccessTokenFacts | null> {
  const found = await findPresentedToken({ token, shape: tokenShape(token) }, catalogue, deps)
  return found.kind === 'access' && (await isActive(found.token, catalogue, deps)) ? found.token : null
}
