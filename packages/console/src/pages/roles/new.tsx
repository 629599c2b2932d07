/** Making a role. */
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { FormFooter, RestoredNotice } from '../../app/forms/form-footer.tsx'
import { useForm } from '../../app/forms/use-form.ts'
import { useRefresh } from '../../app/items/use-item.ts'
import { Crumb, useGo, useSearchParams } from '../../app/link.tsx'
import { frame } from '../../messages/frame.ts'
import { roles } from '../../messages/groups.ts'
import { Card, PageHeader } from '../../ui/content.tsx'
import { sending } from '../../ui/dialog.tsx'
import { given, SelectField, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { useApiOptions } from '../scopes/scope-list.tsx'
import { ScopesField } from './scopes-field.tsx'

interface NewRole {
  readonly name: string
  readonly description: string
  readonly resource: string
  readonly scopes: readonly string[]
}

export function Page() {
  const say = useSay()
  const go = useGo()
  const { api } = useConsole()
  const { resource = '' } = useSearchParams()
  const apiOptions = useApiOptions()
  const toasts = useToasts()
  const refresh = useRefresh()
  const initial: NewRole = { name: '', description: '', resource, scopes: [] }
  const form = useForm({ name: 'new-role', initial, fields: Object.keys(initial) })
  const { values } = form
  const send = async ({ description, ...rest }: NewRole): Promise<void> => {
    const about = description.trim()
    const body = { ...rest, name: rest.name.trim(), ...(about === '' ? {} : { description: about }) }
    const made = await answered(api.POST('/v1/roles', { body: body as never }))
    await refresh('/v1/roles')
    toasts.done(say(roles.made))
    go({ to: '/roles/$id', params: { id: made.id } })
  }
  const field = (name: 'name' | 'description' | 'resource') => ({
    label: say(roles[name]),
    value: values[name],
    onChange: (value: string) => form.set({ [name]: value }),
    ...given({ fault: form.faultOf(name) }),
  })
  return (
    <form onSubmit={sending(() => void form.submit(send))} noValidate>
      <PageHeader above={<Crumb to="/roles">{say(roles.title)}</Crumb>} title={say(roles.create)} />
      <Card footer={<FormFooter form={form} action={say(frame.create)} />}>
        <div className="stack">
          <RestoredNotice form={form} />
          <div className="form-grid">
            <TextField {...field('name')} hint={say(roles.nameHint)} placeholder="bookkeeper" />
            <SelectField
              {...field('resource')}
              onChange={(chosen) => form.set({ resource: chosen, scopes: [] })}
              options={[{ value: '', label: say(roles.resourceChoose) }, ...apiOptions]}
            />
          </div>
          <TextField {...field('description')} hint={say(roles.descriptionHint)} optional />
          <ScopesField
            resource={values.resource}
            value={values.scopes}
            onChange={(scopes) => form.set({ scopes })}
            fault={form.faultOf('scopes')}
          />
        </div>
      </Card>
    </form>
  )
}
