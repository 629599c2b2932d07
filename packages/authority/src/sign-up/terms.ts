/** A person accepts the current terms of use. */
import { outstandingTerms, type Terms } from '@grantor/protocol/people'
import type { Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import type { EventDependencies } from '../events.ts'
import type { Account, Visitor } from '../interact/visitor.ts'
import { acceptedEvent } from './accept.ts'

export interface TermsDependencies extends EventDependencies {
  readonly directory: Directory
  readonly store: Pick<Store, 'users'>
}

/** The terms that the person must still accept; null for none. */
export const termsFor = async (
  { person }: Pick<Account, 'person'>,
  { directory }: Pick<TermsDependencies, 'directory'>,
): Promise<Terms | null> =>
  outstandingTerms((await directory.servedCatalogue(person.tenant))?.tenant.accounts, person.terms?.version)

/** 'outrun': the terms are no longer those that the person read, or the account was changed at the same moment. */
export async function acceptTerms(
  { person }: Pick<Account, 'person'>,
  version: string,
  visitor: Visitor,
  deps: TermsDependencies,
): Promise<'accepted' | 'outrun'> {
  const { tenant, id } = person
  const user = await deps.store.users.byId(tenant, id)
  if (user === null) return 'outrun'
  const terms = await termsFor({ person: user }, deps)
  if (terms === null) return 'accepted'
  if (terms.version !== version) return 'outrun'
  const at = deps.clock.now()
  const events = [acceptedEvent(id, terms, visitor, deps)]
  const change = { tenant, id, version: user.version, terms: { version, at }, at, events }
  return (await deps.store.users.change(change)) === 'changed' ? 'accepted' : 'outrun'
}
