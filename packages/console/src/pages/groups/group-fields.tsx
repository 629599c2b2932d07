/** The fields of a group that its maker and its keeper fill in alike. */
import { namesAsOptions, PickOfList, valuesOf } from '../../app/forms/pick-of-list.tsx'
import type { Form } from '../../app/forms/use-form.ts'
import { groups, roles } from '../../messages/groups.ts'
import { given, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Group } from './list.tsx'

export interface EditableGroup {
  readonly name: string
  readonly description: string
  readonly external_id: string
  readonly roles: readonly string[]
}

export const groupFieldNames = ['name', 'description', 'external_id', 'roles'] as const

export const newGroup: EditableGroup = { name: '', description: '', external_id: '', roles: [] }

export const editableGroup = (it: Group): EditableGroup => ({
  name: it.name,
  description: it.description ?? '',
  external_id: it.external_id ?? '',
  roles: it.roles,
})

/** What is left empty is taken away. */
export function groupBody({ name, description, external_id: externalId, ...rest }: Partial<EditableGroup>): object {
  const text = (field: string, value: string | undefined) =>
    value === undefined ? {} : { [field]: value.trim() === '' ? null : value.trim() }
  return {
    ...rest,
    ...(name === undefined ? {} : { name: name.trim() }),
    ...text('description', description),
    ...text('external_id', externalId),
  }
}

export function GroupFields({ form }: { readonly form: Form<EditableGroup> }) {
  const say = useSay()
  const { values, set } = form
  return (
    <>
      <div className="form-grid">
        <TextField
          label={say(groups.name)}
          hint={say(groups.nameHint)}
          value={values.name}
          onChange={(name) => set({ name })}
          {...given({ fault: form.faultOf('name') })}
        />
        <TextField
          label={say(groups.description)}
          optional
          value={values.description}
          onChange={(description) => set({ description })}
          {...given({ fault: form.faultOf('description') })}
        />
      </div>
      <PickOfList
        of="roles"
        label={say(roles.title)}
        hint={say(groups.rolesHint)}
        optional
        value={namesAsOptions(values.roles)}
        onChange={(chosen) => set({ roles: valuesOf(chosen) })}
        {...given({ fault: form.faultOf('roles') })}
      />
      <TextField
        label={say(groups.externalId)}
        hint={say(groups.externalIdHint)}
        optional
        value={values.external_id}
        onChange={(externalId) => set({ external_id: externalId })}
        {...given({ fault: form.faultOf('external_id') })}
      />
    </>
  )
}
