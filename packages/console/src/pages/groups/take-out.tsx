/** Taking somebody out of a group, from the page of either. */
import { answered } from '../../api/client.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { groups } from '../../messages/groups.ts'
import { useSay } from '../../ui/preferences.tsx'
import type { Person } from '../people/person-columns.tsx'
import type { Group } from './list.tsx'

/** What another membership changes on pages that are open. */
export const changedByMembers = ['/v1/groups', '/v1/users', '/v1/grants', '/v1/events']

interface Membership {
  readonly group: Pick<Group, 'id' | 'name'>
  readonly person: Pick<Person, 'id' | 'username'>
}

export function TakeOut({ group, person }: Membership) {
  const say = useSay()
  const params = { path: { id: group.id } }
  const takeOut = useAct(
    (api) => answered(api.POST('/v1/groups/{id}/change-members', { params, body: { remove: [person.id] } })),
    { done: say(groups.takenOut), refresh: changedByMembers },
  )
  return (
    <ConfirmButton
      size="small"
      action={say(groups.takeOut)}
      title={say(groups.takeOutTitle, { name: person.username, group: group.name })}
      text={say(groups.takeOutText)}
      busy={takeOut.busy}
      onConfirm={() => takeOut.run()}
    />
  )
}
