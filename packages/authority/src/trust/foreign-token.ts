/** A token of a trusted issuer, with the client or person for which it speaks here. */
import type { ForeignToken } from '@grantor/protocol/grants'
import type { ParsedJwt } from '@grantor/protocol/jose'
import type { Person } from '@grantor/protocol/people'
import {
  isIdJag,
  matchingRule,
  personMeant,
  subjectOfToken,
  tokenEnd,
  tokenIdOf,
  type TrustedIssuer,
} from '@grantor/protocol/trust'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type ExaminationDependencies, examineToken, readToken } from './examine-token.ts'

export interface ForeignTokenDependencies extends ExaminationDependencies {
  readonly store: Pick<Store, 'users'>
}

export async function findForeignToken(
  text: string,
  tenant: TenantId,
  deps: ForeignTokenDependencies,
): Promise<ForeignToken> {
  const examined = await examineToken(readToken(text), tenant, deps)
  if (examined.kind !== 'trusted') return examined
  const { issuer, jwt } = examined
  const clientId = isIdJag(jwt) ? null : (matchingRule(issuer.rules ?? [], jwt.claims)?.client ?? null)
  return {
    kind: 'foreign',
    issuer: issuer.issuer,
    subject: subjectOfToken(jwt),
    idJag: isIdJag(jwt),
    claims: jwt.claims,
    id: tokenIdOf(jwt),
    singleUse: issuer.single_use ?? true,
    expiresAt: tokenEnd(jwt),
    // Read anew: no later commit checks again for whom a token speaks.
    client: clientId === null ? null : await deps.directory.currentClient(tenant, clientId),
    person: clientId === null ? await personOf({ jwt, issuer, tenant }, deps) : null,
  }
}

interface MeantPerson {
  readonly jwt: ParsedJwt
  readonly issuer: TrustedIssuer
  readonly tenant: TenantId
}

/** Nothing speaks for a person who requested the deletion of their account: only signing in cancels the deletion. */
async function personOf(it: MeantPerson, deps: ForeignTokenDependencies): Promise<Person | null> {
  const person = await personNamed(it, deps)
  return person?.deletionDueAt === undefined ? person : null
}

async function personNamed(
  { jwt, issuer, tenant }: MeantPerson,
  { store: { users } }: ForeignTokenDependencies,
): Promise<Person | null> {
  const lookup = personMeant(jwt.claims, issuer.people)
  if (lookup === null) return null
  if ('username' in lookup) return users.byUsername(tenant, lookup.username)
  // The address must be verified here, too, and belong to one person only: otherwise a person who merely claims an
  // address would be taken for its owner.
  const [person, ...others] = await users.byEmail(tenant, lookup.email, 2)
  return person?.claims['email_verified'] === true && others.length === 0 ? person : null
}
