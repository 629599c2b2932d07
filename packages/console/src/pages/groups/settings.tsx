/** What a group is called and which roles it has, to be changed, and its end. */
import { ifMatch, type Versioned, versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { EditForm } from '../../app/forms/edit-form.tsx'
import { useEdit } from '../../app/forms/use-edit.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { useGo } from '../../app/link.tsx'
import { groups, roles } from '../../messages/groups.ts'
import { useSay } from '../../ui/preferences.tsx'
import { editableGroup, type EditableGroup, groupBody, groupFieldNames, GroupFields } from './group-fields.tsx'
import type { Group } from './list.tsx'

export function GroupSettings({ item }: { readonly item: Versioned<Group> }) {
  const say = useSay()
  const { api, session } = useConsole()
  const path = { id: item.value.id }
  const edit = useEdit<Group, EditableGroup>({
    name: `group/${path.id}`,
    list: '/v1/groups',
    item,
    editable: editableGroup,
    fields: groupFieldNames,
    read: () => versioned(api.GET('/v1/groups/{id}', { params: { path } })),
    write: (changes, etag) =>
      versioned(
        api.PATCH('/v1/groups/{id}', {
          params: { path },
          body: groupBody(changes) as never,
          ...(ifMatch(etag) as object),
        }),
      ),
  })
  const labels: Readonly<Record<keyof EditableGroup, string>> = {
    name: say(groups.name),
    description: say(groups.description),
    external_id: say(groups.externalId),
    roles: say(roles.title),
  }
  const mayWrite = session.may('admin:groups:write')
  return (
    <div className="stack">
      <EditForm edit={edit} labels={labels} title={say(groups.tabSettings)} readOnly={!mayWrite}>
        <GroupFields form={edit.form} />
      </EditForm>
      {mayWrite ? <RemoveGroup item={item} /> : null}
    </div>
  )
}

function RemoveGroup({ item: { value, etag } }: { readonly item: Versioned<Group> }) {
  const say = useSay()
  const go = useGo()
  const path = { id: value.id }
  const remove = useAct(
    (api) => versioned(api.DELETE('/v1/groups/{id}', { params: { path }, ...(ifMatch(etag) as object) })),
    { done: say(groups.removed), ends: '/v1/groups', draft: `group/${path.id}` },
  )
  return (
    <div>
      <ConfirmButton
        icon="trash"
        action={say(groups.remove)}
        title={say(groups.removeTitle, { name: value.name })}
        text={say(groups.removeText)}
        busy={remove.busy}
        onConfirm={async () => {
          const done = await remove.run()
          if (done) go({ to: '/groups' })
          return done
        }}
      />
    </div>
  )
}
