/** Who is in a group: added by name, removed one by one. */
import { useConsole } from '../../app/console-context.ts'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { groups } from '../../messages/groups.ts'
import { Empty } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { type Person, usePersonColumns } from '../people/person-columns.tsx'
import type { Group } from './list.tsx'
import { AddMembers } from './add-members.tsx'
import { TakeOut } from './take-out.tsx'

export function Members({ group }: { readonly group: Group }) {
  const say = useSay()
  const { session } = useConsole()
  const list = useList('/v1/users', { filters: [], fixed: { group_id: group.id } })
  const mayWrite = session.may('admin:groups:write')
  const columns: readonly Column<Person>[] = [
    ...usePersonColumns(),
    ...(mayWrite
      ? [{ title: '', width: '9rem', end: true, cell: (it: Person) => <TakeOut group={group} person={it} /> }]
      : []),
  ]
  return (
    <div className="stack">
      {mayWrite ? <AddMembers group={group} /> : null}
      <ListTable
        label={say(groups.tabMembers)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={<Empty icon="person" title={say(groups.noMembers)} text={say(groups.noMembersText)} />}
      />
    </div>
  )
}
