/** The list of people. */
import { useConsole } from '../../app/console-context.ts'
import { SearchFilter } from '../../app/lists/filters.tsx'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { ButtonLink } from '../../app/link.tsx'
import { people } from '../../messages/people.ts'
import { Empty, PageHeader } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { type Person, usePersonColumns } from './person-columns.tsx'

export function Page() {
  const say = useSay()
  const { session } = useConsole()
  const list = useList('/v1/users', { filters: ['username[prefix]', 'email'] })
  const create = session.may('admin:users:write') ? (
    <ButtonLink to="/new-person" kind="primary" icon="plus">
      {say(people.create)}
    </ButtonLink>
  ) : undefined
  const columns: readonly Column<Person>[] = [
    ...usePersonColumns(),
    { title: say(people.since), width: '9rem', cell: (it) => <Moment at={it.created_at} /> },
  ]
  return (
    <>
      <PageHeader title={say(people.title)} text={say(people.text)} actions={create} />
      <div className="toolbar">
        <SearchFilter
          label={say(people.search)}
          value={list.filters['username[prefix]'] ?? ''}
          onChange={(value) => list.setFilter('username[prefix]', value)}
        />
        <SearchFilter
          label={say(people.byEmail)}
          value={list.filters['email'] ?? ''}
          onChange={(value) => list.setFilter('email', value)}
        />
      </div>
      <ListTable
        label={say(people.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={
          <Empty icon="person" title={say(people.none)} text={say(people.noneText)}>
            {create}
          </Empty>
        }
      />
    </>
  )
}
