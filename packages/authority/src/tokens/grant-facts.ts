/** Loads the facts that a grant's rule has named, and the person for whom the grant speaks. */
import type { FactsByKind, Grant, Lookup, TokenFacts } from '@grantor/protocol/grants'
import { type Catalogue, tokenShape } from '@grantor/protocol/oauth'
import { grantOfIdToken } from '@grantor/protocol/oidc'
import type { Person } from '@grantor/protocol/people'
import type { GrantId } from '@grantor/protocol/types'
import type { Clock } from '../ports/environment.ts'
import { findForeignToken, type ForeignTokenDependencies } from '../trust/foreign-token.ts'
import type { RecordPoll } from '../device/device-poll-times.ts'
import { findPresentedToken, type PresentedTokenDependencies } from './presented-token.ts'
import { isActive, type TokenStatusDependencies } from './status.ts'

export interface GrantFacts {
  readonly facts: Readonly<Record<string, FactsByKind[keyof FactsByKind]>>
  /** The id of the person whose grant or assertion was presented; null where it speaks for no person. */
  readonly subject: string | null
  readonly person: Person | null
  /** The grant that was presented, or the grant of the code or token that was presented. */
  readonly grant: Grant | null
}

export type GrantFactDependencies = PresentedTokenDependencies &
  TokenStatusDependencies &
  ForeignTokenDependencies & {
    readonly clock: Clock
  }

export interface GrantFactSources {
  readonly catalogue: Catalogue
  readonly recordPoll: RecordPoll
}

export async function findGrantFacts(
  lookups: Readonly<Record<string, Lookup | null>>,
  sources: GrantFactSources,
  deps: GrantFactDependencies,
): Promise<GrantFacts> {
  const facts: Record<string, FactsByKind[keyof FactsByKind]> = {}
  for (const [name, lookup] of Object.entries(lookups))
    facts[name] = lookup === null ? null : await find(lookup, sources, deps)
  // The new token derives from the first fact. A second one can only be an actor token (RFC 8693 §2.1), which adds no
  // rights.
  const [presented = null] = Object.values(facts)
  const grant = presented !== null && 'grant' in presented ? presented.grant : null
  const assertedPerson = presented !== null && 'person' in presented ? presented.person : null
  const subject = grant?.authentication.subject ?? assertedPerson?.id ?? null
  const person =
    grant === null ? assertedPerson : await deps.people.find(sources.catalogue.tenant.id, grant.authentication.subject)
  return { facts, subject, person, grant }
}

async function find(
  lookup: Lookup,
  { catalogue, recordPoll }: GrantFactSources,
  deps: GrantFactDependencies,
): Promise<FactsByKind[keyof FactsByKind]> {
  const tenant = catalogue.tenant.id
  const { grants } = deps.store
  switch (lookup.find) {
    case 'code':
      return grants.code(tenant, lookup.by)
    case 'refresh':
      return grants.refresh(tenant, lookup.by)
    case 'device': {
      const device = await grants.device(tenant, lookup.by)
      // RFC 8628 §3.5: a device polls too fast if its previous poll, which this node remembers, is too recent.
      return device && { ...device, polledAt: recordPoll(tenant, lookup.by) }
    }
    case 'foreign':
      return findForeignToken(lookup.by, tenant, deps)
    case 'token':
      return presentedToken(lookup.by, catalogue, deps)
  }
}

/**
 * A token to be exchanged. Refresh tokens are not handled here: they are looked up by handle, as a kind of their own.
 */
async function presentedToken(
  token: string,
  catalogue: Catalogue,
  deps: GrantFactDependencies,
): Promise<TokenFacts | null> {
  const found = await findPresentedToken({ token, shape: tokenShape(token) }, catalogue, deps)
  const tenant = catalogue.tenant.id
  const grantOf = async (id: GrantId | null) => (id === null ? null : deps.store.grants.find(tenant, id))
  if (found.kind === 'unsupported' && found.jws !== null)
    return { kind: 'jwt', ...found.jws, grant: await grantOf(grantOfIdToken(found.jws.claims)) }
  // A JWT that our keys did not sign may be another issuer's.
  if (found.kind === 'unknown' && tokenShape(token) === 'jwt') return findForeignToken(token, tenant, deps)
  if (found.kind !== 'access') return null
  const grant = await grantOf(found.token.grantId)
  return { kind: 'access', token: found.token, active: await isActive(found.token, catalogue, deps), grant }
}
