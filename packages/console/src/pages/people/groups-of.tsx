/** The groups that a person is in; added and left. */
import { useConsole } from '../../app/console-context.ts'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { held } from '../../messages/groups.ts'
import { Empty } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { type Group, useGroupColumns } from '../groups/list.tsx'
import { TakeOut } from '../groups/take-out.tsx'
import type { Person } from './person.tsx'
import { AddToGroups } from './add-to-groups.tsx'

export function GroupsOf({ person }: { readonly person: Person }) {
  const say = useSay()
  const { session } = useConsole()
  const list = useList('/v1/groups', { filters: [], fixed: { member: person.id } })
  const mayWrite = session.may('admin:groups:write')
  const columns: readonly Column<Group>[] = [
    ...useGroupColumns(),
    ...(mayWrite
      ? [{ title: '', width: '9rem', end: true, cell: (it: Group) => <TakeOut group={it} person={person} /> }]
      : []),
  ]
  return (
    <>
      {mayWrite ? <AddToGroups person={person} /> : null}
      <ListTable
        label={say(held.groups)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={<Empty icon="group" title={say(held.noGroups)} text={say(held.noGroupsText)} />}
      />
    </>
  )
}
