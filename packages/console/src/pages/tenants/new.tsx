/** Making a tenant: its name, and the part of addresses that it has for ever. */
import { answered, isChangedMeanwhile } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { FormFooter, RestoredNotice } from '../../app/forms/form-footer.tsx'
import { useForm } from '../../app/forms/use-form.ts'
import { useRefresh } from '../../app/items/use-item.ts'
import { Crumb, useGo } from '../../app/link.tsx'
import { frame } from '../../messages/frame.ts'
import { tenants } from '../../messages/tenants.ts'
import { Card, PageHeader } from '../../ui/content.tsx'
import { sending } from '../../ui/dialog.tsx'
import { given, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useToasts } from '../../ui/toasts.tsx'

const initial = { name: '', id: '' }

/** RFC 9110 §13.1.2: makes, and never replaces. */
const onlyNew = { 'If-None-Match': '*' }

export function Page() {
  const say = useSay()
  const go = useGo()
  const { api } = useConsole()
  const toasts = useToasts()
  const refresh = useRefresh()
  const form = useForm({ name: 'new-tenant', initial, fields: ['name', 'id'] })
  const send = async (values: typeof initial): Promise<void> => {
    const id = values.id.trim()
    const body = { name: values.name.trim(), disabled: false }
    const call =
      id === ''
        ? api.POST('/v1/tenants', { body })
        : api.PUT('/v1/tenants/{id}', { params: { path: { id } }, body, headers: onlyNew })
    const made = await answered(call).catch((error: unknown) => {
      throw isChangedMeanwhile(error) ? new Error(say(tenants.idTaken), { cause: error }) : error
    })
    await refresh('/v1/tenants')
    toasts.done(say(tenants.created))
    go({ to: '/tenants/$id', params: { id: made.id } })
  }
  const field = (name: keyof typeof initial) => ({
    value: form.values[name],
    onChange: (value: string) => form.set({ [name]: value }),
    ...given({ fault: form.faultOf(name) }),
  })
  return (
    <form onSubmit={sending(() => void form.submit(send))} noValidate>
      <PageHeader
        above={<Crumb to="/tenants">{say(tenants.title)}</Crumb>}
        title={say(tenants.create)}
        text={say(tenants.createText)}
      />
      <Card footer={<FormFooter form={form} action={say(frame.create)} />}>
        <div className="stack">
          <RestoredNotice form={form} />
          <div className="form-grid">
            <TextField label={say(tenants.name)} hint={say(tenants.nameHint)} {...field('name')} />
            <TextField label={say(tenants.id)} hint={say(tenants.idHint)} optional {...field('id')} />
          </div>
        </div>
      </Card>
    </form>
  )
}
