/** Who has a role: groups, and people who were given it themselves. */
import { ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { groups, roles } from '../../messages/groups.ts'
import { people } from '../../messages/people.ts'
import { Empty } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useGroupColumns } from '../groups/list.tsx'
import { usePersonColumns } from '../people/person-columns.tsx'

export function GroupsWith({ role }: { readonly role: string }) {
  const say = useSay()
  const columns = useGroupColumns()
  const list = useList('/v1/groups', { filters: [], fixed: { role } })
  return (
    <ListTable
      label={say(groups.title)}
      list={list}
      columns={columns}
      keyOf={(it) => it.id}
      empty={<Empty icon="group" title={say(roles.noGroups)} text={say(roles.noGroupsText)} />}
    />
  )
}

export function PeopleWith({ role }: { readonly role: string }) {
  const say = useSay()
  const columns = usePersonColumns()
  const list = useList('/v1/users', { filters: [], fixed: { role } })
  return (
    <ListTable
      label={say(people.title)}
      list={list}
      columns={columns}
      keyOf={(it) => it.id}
      empty={<Empty icon="person" title={say(roles.noPeople)} text={say(roles.noPeopleText)} />}
    />
  )
}
