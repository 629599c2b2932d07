/** A token of a trusted issuer with whom it speaks for here: the client of a rule, or a person that it may speak of. */
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
    // Read anew: nothing that is committed later re-checks whom a token speaks for.
    client: clientId === null ? null : await deps.directory.currentClient(tenant, clientId),
    person: clientId === null ? await personOf({ jwt, issuer, tenant }, deps) : null,
  }
}

interface MeantPerson {
  readonly jwt: ParsedJwt
  readonly issuer: TrustedIssuer
  readonly tenant: TenantId
}

/** Whoever ended their account is spoken for by nobody: signing in alone keeps it. */
async function personOf(it: MeantPerson, deps: ForeignTokenDependencies): Promise<Person | null> {
  const person = await personNamed(it, deps)
  return person?.deletionDueAt === undefined ? person : null
}

async function personNamed(
  { jwt, issuer, tenant }: MeantPerson,
  { store: { users } }: ForeignTokenDependencies,
): Promise<Person | null> {
  const meant = personMeant(jwt.claims, issuer.people)
  if (meant === null) return null
  if ('username' in meant) return users.byUsername(tenant, meant.username)
  // Verified here, too, and one person's alone: else an address that somebody only claims would make them another.
  const [person, ...others] = await users.byEmail(tenant, meant.email, 2)
  return person?.claims['email_verified'] === true && others.length === 0 ? person : null
}
