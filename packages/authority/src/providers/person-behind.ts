/** Who of ours somebody is who came from a provider: by what its issuer calls them, and never by an address alone. */
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
 * `unlinked`: nobody of ours, and nobody is made of them. `another`: the account of this address is linked to somebody
 * else there. `disabled`: one of ours who may not sign in.
 */
export type NoPerson = 'unlinked' | 'another' | 'disabled'

/** As the log has it. */
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
  // Never a second account of an address: its owner signs in to the first and links it.
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
 * Verified here, too: else whoever wrote somebody's address into an account would be waiting in it for them. And never an
 * administrator: whoever may write providers could come in as an owner by one of their own.
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
  // Outrun by another return of the same person.
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
 * Just in time: without a password, and under a name that nobody has, nor is reached by: whoever is called as somebody's
 * address is written would be taken for them, and get what they ask for by it.
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
    // Outrun by another return of the same person.
    if (made === 'taken') return (await linkedPerson(arrival, deps)) ?? err('disabled')
  }
  return err('unlinked')
}
