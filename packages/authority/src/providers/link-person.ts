/** Links a person to an identity at a provider: they asked for it while signed in, and returned from the provider. */
import type { StoredProvider } from '@grantor/protocol/providers'
import { type AccountDependencies, accountsOf, type Visitor } from '../interact/visitor.ts'
import type { UpstreamAnswer } from './answer.ts'
import type { VisitPurpose } from './departure.ts'
import { linkEvent, type PersonBehindDependencies } from './person-behind.ts'

interface LinkRequest {
  readonly provider: StoredProvider
  readonly answer: UpstreamAnswer
  readonly visitor: Visitor
}

/**
 * `taken`: another person here has that identity. `another`: the person is linked to another identity there. `refused`:
 * the session that asked is over.
 */
export type LinkOutcome = 'linked' | 'taken' | 'another' | 'refused'

/** Only in the session that asked for the link. */
export async function linkPerson(
  { subject, sid }: Extract<VisitPurpose, { kind: 'link' }>,
  { provider, answer, visitor }: LinkRequest,
  deps: AccountDependencies & PersonBehindDependencies,
): Promise<LinkOutcome> {
  const account = (await accountsOf(visitor, deps)).find((it) => it.session.id === sid && it.person.id === subject)
  if (account === undefined) return 'refused'
  const { tenant } = visitor
  const passwordSeen = account.person.passwordChangedAt
  const identity = { ...answer.name, tenant, subject, createdAt: deps.clock.now(), passwordSeen }
  const event = linkEvent({ provider, subject, by: 'person' }, visitor, deps)
  const outcome = await deps.store.identities.link(identity, [event])
  if (outcome === 'outdated') return 'refused'
  if (outcome !== 'another') return outcome
  const held = await deps.store.identities.find(tenant, answer.name)
  return held?.subject === subject ? 'linked' : 'another'
}
