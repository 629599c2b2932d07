/** The part of a declared change that is about people, about receivers of events, and about whom we ask for theirs. */
import type { DirectoryChange } from '../../contract/directory/directory.ts'
import { insertReceiver, removeReceiver, replaceReceiver } from '../outgoing/event-receivers.ts'
import { takesOwnerAway } from '../people/last-owner.ts'
import * as users from '../people/users.ts'
import { followProviders } from '../signal-polls.ts'
import type { Verb } from '../verb.ts'

type Change = Omit<DirectoryChange, 'events'>

/** False where somebody changed one of them meanwhile, or no owner would be left. */
export function* applyPeople({ tenant, createUsers, changeUsers }: Change): Verb<boolean> {
  for (const it of createUsers ?? []) if ((yield* users.create({ ...it, tenant }, [])) !== 'created') return false
  // A file may name another owner: whoever becomes one does so before the one before is none any more.
  const inOrder = (changeUsers ?? []).toSorted((a, b) => Number(takesOwnerAway(a)) - Number(takesOwnerAway(b)))
  for (const it of inOrder) if ((yield* users.change({ ...it, tenant }, [])) !== 'changed') return false
  return true
}

/** Those who are told, and those who are asked. */
export function* applyReceivers({ tenant, at, ...change }: Change): Verb<boolean> {
  if (change.providers !== undefined) yield* followProviders(tenant, change.providers, at)
  for (const id of change.dropReceivers ?? []) if (!(yield* removeReceiver(tenant, id))) return false
  for (const it of change.replaceReceivers ?? []) if (!(yield* replaceReceiver({ ...it, at }))) return false
  for (const it of change.createReceivers ?? []) if (!(yield* insertReceiver({ ...it, tenant }))) return false
  return true
}
