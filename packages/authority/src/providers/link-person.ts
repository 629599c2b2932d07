/** Links a person to who they are at a provider: they asked for it, signed in, and came back as somebody. */
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

/** `taken`: somebody else here is that. `another`: the person is somebody else there. `refused`: nobody is here any more who asked. */
export type LinkOutcome = 'linked' | 'taken' | 'another' | 'refused'

/** Only whoever asked for it, in the session that asked. */
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
