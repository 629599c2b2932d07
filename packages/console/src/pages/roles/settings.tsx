/** What a role bundles, to be changed, and its end. */
import { ifMatch, type Versioned, versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { EditForm } from '../../app/forms/edit-form.tsx'
import { useEdit } from '../../app/forms/use-edit.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { useGo } from '../../app/link.tsx'
import { roles } from '../../messages/groups.ts'
import { given, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Role } from './role-list.tsx'
import { ScopesField } from './scopes-field.tsx'

const editable = ({ description = '', scopes }: Role) => ({ description, scopes: scopes as readonly string[] })
type Editable = ReturnType<typeof editable>

const patchOf = ({ description, ...rest }: Partial<Editable>): object => ({
  ...rest,
  ...(description === undefined ? {} : { description: description.trim() === '' ? null : description.trim() }),
})

export function RoleSettings({ item }: { readonly item: Versioned<Role> }) {
  const say = useSay()
  const { api, session } = useConsole()
  const path = { id: item.value.id }
  const edit = useEdit<Role, Editable>({
    name: `role/${path.id}`,
    list: '/v1/roles',
    item,
    editable,
    fields: ['description', 'scopes'],
    read: () => versioned(api.GET('/v1/roles/{id}', { params: { path } })),
    write: (changes, etag) =>
      versioned(
        api.PATCH('/v1/roles/{id}', {
          params: { path },
          body: patchOf(changes) as never,
          ...(ifMatch(etag) as object),
        }),
      ),
  })
  const { form } = edit
  const labels = { description: say(roles.description), scopes: say(roles.scopes) }
  const mayWrite = session.may('admin:roles:write')
  return (
    <div className="stack">
      <EditForm edit={edit} labels={labels} title={say(roles.tabSettings)} readOnly={!mayWrite}>
        <TextField
          label={labels.description}
          hint={say(roles.descriptionHint)}
          optional
          value={form.values.description}
          onChange={(description) => form.set({ description })}
          {...given({ fault: form.faultOf('description') })}
        />
        <ScopesField
          resource={item.value.resource}
          value={form.values.scopes}
          onChange={(scopes) => form.set({ scopes })}
          fault={form.faultOf('scopes')}
        />
      </EditForm>
      {mayWrite ? <RemoveRole item={item} /> : null}
    </div>
  )
}

function RemoveRole({ item: { value, etag } }: { readonly item: Versioned<Role> }) {
  const say = useSay()
  const go = useGo()
  const path = { id: value.id }
  const remove = useAct(
    (api) => versioned(api.DELETE('/v1/roles/{id}', { params: { path }, ...(ifMatch(etag) as object) })),
    { done: say(roles.removed), refresh: ['/v1/groups', '/v1/users'], ends: '/v1/roles', draft: `role/${path.id}` },
  )
  return (
    <div>
      <ConfirmButton
        icon="trash"
        action={say(roles.remove)}
        title={say(roles.removeTitle, { name: value.name })}
        text={say(roles.removeText)}
        busy={remove.busy}
        onConfirm={async () => {
          const done = await remove.run()
          if (done) go({ to: '/roles' })
          return done
        }}
      />
    </div>
  )
}
