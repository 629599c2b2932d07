/** Roles: all of them, or those of an API. */
import type { Schemas } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ChoiceFilter, SearchFilter } from '../../app/lists/filters.tsx'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { ButtonLink, PageLink } from '../../app/link.tsx'
import { roles } from '../../messages/groups.ts'
import { Chips, Clip, Empty } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useApiOptions } from '../scopes/scope-list.tsx'

export type Role = Schemas['Roles']

export function RoleList({ resource }: { readonly resource?: string }) {
  const say = useSay()
  const { session } = useConsole()
  const ofOne = resource !== undefined
  const apiOptions = useApiOptions()
  const filters = ofOne ? ['name[prefix]'] : ['name[prefix]', 'resource']
  const list = useList('/v1/roles', { filters, fixed: ofOne ? { resource } : {} })
  const columns: readonly Column<Role>[] = [
    {
      title: say(roles.name),
      width: '20%',
      cell: (it) => (
        <PageLink to="/roles/$id" params={{ id: it.id }} className="row-link">
          <Clip mono>{it.name}</Clip>
        </PageLink>
      ),
    },
    ...(ofOne
      ? []
      : [
          {
            title: say(roles.resource),
            width: '16%',
            cell: (it: Role) => (
              <Clip>{apiOptions.find(({ value }) => value === it.resource)?.label ?? it.resource}</Clip>
            ),
          },
        ]),
    { title: say(roles.scopes), width: '30%', cell: (it) => <Chips items={it.scopes} /> },
    { title: say(roles.description), cell: (it) => <Clip>{it.description ?? '–'}</Clip> },
  ]
  return (
    <>
      <div className="toolbar">
        <SearchFilter
          label={say(roles.search)}
          value={list.filters['name[prefix]'] ?? ''}
          onChange={(value) => list.setFilter('name[prefix]', value)}
        />
        {ofOne || apiOptions.length === 0 ? null : (
          <ChoiceFilter
            label={say(roles.resourceAny)}
            value={list.filters['resource'] ?? ''}
            onChange={(value) => list.setFilter('resource', value)}
            options={apiOptions}
          />
        )}
      </div>
      <ListTable
        label={say(roles.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={
          <Empty icon="role" title={say(roles.none)} text={say(roles.noneText)}>
            {session.may('admin:roles:write') ? (
              <ButtonLink to="/new-role" search={ofOne ? { resource } : {}} kind="primary" icon="plus">
                {say(roles.create)}
              </ButtonLink>
            ) : undefined}
          </Empty>
        }
      />
    </>
  )
}
