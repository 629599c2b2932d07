/** Finds the person here for an identity at a provider: by issuer and subject, and never by an address alone. */
import type { Person } from '@grantor/protocol/people'
import { claimsFor, type StoredProvider, usernamesFor, verifiedEmail } from '@grantor/protocol/providers'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import type { Store, UserRow } from '@grantor/store'
import { type EventDependencies, newEvent } from '../events.ts'
import type { Visitor } from '../interact/visitor.ts'
import type { People } from '../ports/people.ts'
import type { AnswerProblem, UpstreamAnswer } from './answer.ts'

export interface PersonBehindDependencies extends EventDependencies {
  readonly people: Pick<People, 'find'>
  readonly store: Pick<Store, 'identities' | 'users'>
}

/**
 * `unlinked`: no person here has the identity, and none is created. `another`: the account of this address is linked to
 * another identity there. `disabled`: the person here may not sign in.
 */
export type NoPerson = 'unlinked' | 'another' | 'disabled'

/** The name of the problem in the log. */
export const problemName = (why: NoPerson | AnswerProblem): string => (typeof why === 'string' ? why : why.problem)

interface Arrival {
  readonly provider: StoredProvider
  readonly answer: UpstreamAnswer
  readonly visitor: Visitor
}

type PersonFound = Result<Person, NoPerson | AnswerProblem>

export async function personBehind(arrival: Arrival, deps: PersonBehindDependencies): Promise<PersonFound> {
  const known = await linkedPerson(arrival, deps)
  if (known !== null) return known
  const more = await arrival.answer.more()
  if (more.kind === 'error') return more
  const upstreamClaims = more.value
  const email = verifiedEmail(upstreamClaims, arrival.provider)
  const holders = email === null ? [] : await deps.store.users.byEmail(arrival.visitor.tenant, email, 2)
  const [holder] = holders
  if (holder !== undefined && holders.length === 1 && isLinkedByAddress(holder, arrival.provider))
    return linkByAddress(holder, arrival, deps)
  // Never a second account with the same address: its owner must sign in to the first and link the identity.
  if (holder !== undefined || arrival.provider.create !== true) return err('unlinked')
  return newPerson(upstreamClaims, arrival, deps)
}

async function linkedPerson(
  { answer, visitor: { tenant } }: Arrival,
  { people, store }: PersonBehindDependencies,
): Promise<PersonFound | null> {
  const identity = await store.identities.find(tenant, answer.name)
  if (identity === null) return null
  const person = await people.find(tenant, identity.subject)
  return person === null || person.disabledAt !== null ? err('disabled') : ok(person)
}

/**
 * Whether the address is verified here, too: otherwise whoever put another's address into an account could wait for its
 * owner to be linked to it. Never for an administrator: whoever may write providers could otherwise sign in as an owner
 * by one of their own.
 */
const isLinkedByAddress = ({ claims, administrator }: UserRow, provider: StoredProvider): boolean =>
  provider.trust_email === true && claims['email_verified'] === true && administrator === null

async function linkByAddress(holder: UserRow, arrival: Arrival, deps: PersonBehindDependencies): Promise<PersonFound> {
  const { provider, answer, visitor } = arrival
  if (holder.disabledAt !== null) return err('disabled')
  const { tenant, id: subject, passwordChangedAt: passwordSeen } = holder
  const identity = { ...answer.name, tenant, subject, createdAt: deps.clock.now(), passwordSeen }
  const linked = await deps.store.identities.link(identity, [
    linkEvent({ provider, subject, by: 'address' }, visitor, deps),
  ])
  if (linked === 'another') return err('another')
  // The same person returned twice, and the other return came first.
  if (linked !== 'linked') return (await linkedPerson(arrival, deps)) ?? err('disabled')
  return ok(holder)
}

interface NewLink {
  readonly provider: StoredProvider
  readonly subject: string
  readonly by: 'person' | 'address'
}

export const linkEvent = ({ provider, subject, by }: NewLink, visitor: Visitor, deps: EventDependencies) =>
  newEvent(deps, visitor, 'factor.added', {
    actor: { kind: 'user', id: subject },
    subject,
    data: { factor: 'provider', provider: provider.id, name: provider.name, by },
  })

/**
 * Creates the account at the first sign-in, without a password, and under a name that is no other person's name or
 * address: otherwise a person named like another's address would be taken for its owner, and receive what they request
 * by it.
 */
async function newPerson(
  upstreamClaims: JsonObject,
  arrival: Arrival,
  deps: PersonBehindDependencies,
): Promise<PersonFound> {
  const { provider, answer, visitor } = arrival
  const { tenant } = visitor
  const id = deps.ids.id()
  for (const username of [...usernamesFor(upstreamClaims, provider), `${provider.id}-${id.slice(-12)}`]) {
    if ((await deps.store.users.byEmail(tenant, username, 1)).length > 0) continue
    const user: Omit<UserRow, 'version'> = {
      tenant,
      id,
      username,
      claims: claimsFor(upstreamClaims, provider),
      createdAt: deps.clock.now(),
      disabledAt: null,
      administrator: null,
      mustChangePassword: false,
      passwordHash: null,
      passwordChangedAt: null,
    }
    const about = { actor: { kind: 'user' as const, id }, subject: id, data: { created: true, provider: provider.id } }
    const events = [newEvent(deps, visitor, 'admin.user_changed', about)]
    const made = await deps.store.identities.createUser(user, answer.name, events)
    if (made === 'created') return ok({ ...user, version: 1 })
    // The same person returned twice, and the other return came first.
    if (made === 'taken') return (await linkedPerson(arrival, deps)) ?? err('disabled')
  }
  return err('unlinked')
}
