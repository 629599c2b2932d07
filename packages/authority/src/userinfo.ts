/** GET and POST /userinfo, without HTTP (OIDC Core §5.3). Any living access token of ours with scope openid opens it. */
import {
  type AccessTokenFacts,
  type Catalogue,
  isAlive,
  type JsonObject,
  opensUserinfo,
  shapeOf,
  type TenantId,
  userinfo as tell,
} from '@grantor/protocol'
import type { Origin } from './events.ts'
import type { Hands } from './hands.ts'
import { findPresented } from './presented.ts'
import { standingOf } from './standing.ts'
import { isOutage } from './steady.ts'

/** What RFC 6750 §3.1 calls the trouble with a presented token. */
export type UserinfoAnswer =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly error: 'invalid_token' | 'insufficient_scope' | 'unavailable' }

export async function userinfo(token: string, origin: Origin, hands: Hands): Promise<UserinfoAnswer> {
  try {
    const catalogue = await hands.directory.catalogueNow(origin.tenant)
    if (catalogue === null || catalogue.tenant.disabledAt !== null) return { ok: false, error: 'invalid_token' }
    const facts = await livingToken(token, catalogue, hands)
    if (facts === null) return { ok: false, error: 'invalid_token' }
    if (!opensUserinfo(facts)) return { ok: false, error: 'insufficient_scope' }
    return await told(facts, origin.tenant, hands)
  } catch (cause) {
    if (isOutage(cause)) return { ok: false, error: 'unavailable' }
    throw cause
  }
}

async function told(facts: AccessTokenFacts, tenant: TenantId, hands: Hands): Promise<UserinfoAnswer> {
  const grant = facts.grantId === null ? null : await hands.store.grants.find(tenant, facts.grantId)
  const person = grant === null ? null : await hands.people.find(tenant, facts.subject)
  // A token of a client itself speaks for nobody.
  if (grant === null || person === null) return { ok: false, error: 'insufficient_scope' }
  return { ok: true, value: tell({ person, subject: person.id, scope: facts.scope, claims: grant.claims }) }
}

/** The facts of an access token that lives; null for everything else. ID tokens are never access tokens. */
export async function livingToken(token: string, catalogue: Catalogue, hands: Hands): Promise<AccessTokenFacts | null> {
  const found = await findPresented({ token, shape: shapeOf(token) }, catalogue, hands)
  if (found.kind !== 'access') return null
  const standing = await standingOf(found.token, catalogue, hands)
  return isAlive(found.token, standing, hands.now()) ? found.token : null
}
