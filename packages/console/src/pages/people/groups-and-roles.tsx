/** The groups that a person is in, the roles that were given to them, and those they hold by their groups. */
import { ifMatch, type Versioned, versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { EditForm } from '../../app/forms/edit-form.tsx'
import { namesAsOptions, PickOfList, valuesOf } from '../../app/forms/pick-of-list.tsx'
import { useEdit } from '../../app/forms/use-edit.ts'
import { held, roles } from '../../messages/groups.ts'
import { Card, Chips, Facts } from '../../ui/content.tsx'
import { given } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Person } from './person.tsx'
import { GroupsOf } from './groups-of.tsx'

export function GroupsAndRoles({ item }: { readonly item: Versioned<Person> }) {
  const { session } = useConsole()
  return (
    <div className="stack">
      {session.may('admin:groups:read') ? <GroupsOf person={item.value} /> : null}
      <OwnRoles item={item} />
      <AllRoles person={item.value} />
    </div>
  )
}

const editable = (person: Person) => ({ roles: (person.roles ?? []) as readonly string[] })
type Editable = ReturnType<typeof editable>

function OwnRoles({ item }: { readonly item: Versioned<Person> }) {
  const say = useSay()
  const { api, session } = useConsole()
  const path = { id: item.value.id }
  const edit = useEdit<Person, Editable>({
    name: `person-roles/${path.id}`,
    list: '/v1/users',
    item,
    editable,
    fields: ['roles'],
    read: () => versioned(api.GET('/v1/users/{id}', { params: { path } })),
    write: (changes, etag) =>
      versioned(
        api.PATCH('/v1/users/{id}', { params: { path }, body: changes as never, ...(ifMatch(etag) as object) }),
      ),
  })
  const { form } = edit
  const mayWrite = session.may('admin:users:write') && session.may('admin:roles:write')
  return (
    <EditForm
      edit={edit}
      labels={{ roles: say(roles.title) }}
      title={say(held.ownRoles)}
      text={say(held.ownRolesText)}
      readOnly={!mayWrite}
    >
      <PickOfList
        of="roles"
        label={say(roles.title)}
        optional
        value={namesAsOptions(form.values.roles)}
        onChange={(chosen) => form.set({ roles: valuesOf(chosen) })}
        {...given({ fault: form.faultOf('roles') })}
      />
    </EditForm>
  )
}

function AllRoles({ person }: { readonly person: Person }) {
  const say = useSay()
  const own = person.roles ?? []
  const all = person.all_roles ?? []
  const shown = (names: readonly string[]) => (names.length === 0 ? say(held.noRoles) : <Chips items={names} />)
  return (
    <Card title={say(held.everything)}>
      <Facts
        facts={[
          [say(held.ownRoles), shown(own)],
          [say(held.byGroups), shown(all.filter((it) => !own.includes(it)))],
        ]}
      />
    </Card>
  )
}
