/** The part of a declared change that concerns people, event receivers, and providers that are polled. */
import type { DirectoryChange } from '../../contract/directory/directory.ts'
import { insertReceiver, removeReceiver, replaceReceiver } from '../outgoing/event-receivers.ts'
import { takesOwnerAway } from '../people/last-owner.ts'
import * as users from '../people/users.ts'
import { followProviders } from '../signal-polls.ts'
import type { Verb } from '../verb.ts'

type Change = Omit<DirectoryChange, 'events'>

/** False where somebody changed one of them meanwhile, or the tenant would be left without an owner. */
export function* applyPeople({ tenant, createUsers, changeUsers }: Change): Verb<boolean> {
  for (const it of createUsers ?? []) if ((yield* users.create({ ...it, tenant }, [])) !== 'created') return false
  // A file may name another owner: the new one is made before the previous one loses the role.
  const inOrder = (changeUsers ?? []).toSorted((a, b) => Number(takesOwnerAway(a)) - Number(takesOwnerAway(b)))
  for (const it of inOrder) if ((yield* users.change({ ...it, tenant }, [])) !== 'changed') return false
  return true
}

/** Applies the changes of event receivers and of polled providers. */
export function* applyReceivers({ tenant, at, ...change }: Change): Verb<boolean> {
  if (change.providers !== undefined) yield* followProviders(tenant, change.providers, at)
  for (const id of change.dropReceivers ?? []) if (!(yield* removeReceiver(tenant, id))) return false
  for (const it of change.replaceReceivers ?? []) if (!(yield* replaceReceiver({ ...it, at }))) return false
  for (const it of change.createReceivers ?? []) if (!(yield* insertReceiver({ ...it, tenant }))) return false
  return true
}
