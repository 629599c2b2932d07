/** The list of groups. */
import type { Schemas } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { SearchFilter } from '../../app/lists/filters.tsx'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { ButtonLink, PageLink } from '../../app/link.tsx'
import { groups, roles } from '../../messages/groups.ts'
import { Chips, Clip, Empty, PageHeader } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'

export type Group = Schemas['Groups']

/** What is shown of a group wherever there are several. */
export function useGroupColumns(): readonly Column<Group>[] {
  const say = useSay()
  return [
    {
      title: say(groups.name),
      width: '34%',
      cell: (it) => (
        <PageLink to="/groups/$id" params={{ id: it.id }} className="row-link">
          <Clip>{it.name}</Clip>
        </PageLink>
      ),
    },
    { title: say(roles.title), cell: (it) => (it.roles.length === 0 ? '–' : <Chips items={it.roles} />) },
  ]
}

export function Page() {
  const say = useSay()
  const { session } = useConsole()
  const list = useList('/v1/groups', { filters: ['name[prefix]'] })
  const create = session.may('admin:groups:write') ? (
    <ButtonLink to="/new-group" kind="primary" icon="plus">
      {say(groups.create)}
    </ButtonLink>
  ) : undefined
  const columns = [
    ...useGroupColumns(),
    { title: say(groups.changed), width: '16%', cell: (it: Group) => <Moment at={it.changed_at} /> },
  ]
  return (
    <>
      <PageHeader title={say(groups.title)} text={say(groups.text)} actions={create} />
      <div className="toolbar">
        <SearchFilter
          label={say(groups.search)}
          value={list.filters['name[prefix]'] ?? ''}
          onChange={(value) => list.setFilter('name[prefix]', value)}
        />
      </div>
      <ListTable
        label={say(groups.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={
          <Empty icon="group" title={say(groups.none)} text={say(groups.noneText)}>
            {create}
          </Empty>
        }
      />
    </>
  )
}
