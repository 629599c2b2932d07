/** Changes a person together with their roles or groups: what they lose by it ends at once. */
import type { UserChange } from '../../contract/people/users.ts'
import type { Entry } from '../entry.ts'
import type { Verb } from '../verb.ts'
import { affected, takingAway } from '../people/lost-roles.ts'
import { change, type UserChanged } from '../people/users.ts'

export const changeMemberships = (it: UserChange, entries: readonly Entry[]): Verb<UserChanged> =>
  takingAway(it, [affected.person(it.tenant, it.id, it.at)], change(it, entries))
