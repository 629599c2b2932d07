/** Making a scope. */
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { FormFooter, RestoredNotice } from '../../app/forms/form-footer.tsx'
import { useForm } from '../../app/forms/use-form.ts'
import { useRefresh } from '../../app/items/use-item.ts'
import { Crumb, useGo, useSearchParams } from '../../app/link.tsx'
import { apis, scopes } from '../../messages/apis.ts'
import { frame } from '../../messages/frame.ts'
import { Card, PageHeader } from '../../ui/content.tsx'
import { sending } from '../../ui/dialog.tsx'
import { given, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { type EditableScope, scopeBody, scopeFieldNames, ScopeFields } from './scope-fields.tsx'

interface NewScope extends EditableScope {
  readonly name: string
}

export function Page() {
  const say = useSay()
  const go = useGo()
  const { api } = useConsole()
  const { resource = '' } = useSearchParams()
  const toasts = useToasts()
  const refresh = useRefresh()
  const initial: NewScope = { name: '', description: {}, resource, sensitivity: 'normal', optional: false }
  const form = useForm({ name: 'new-scope', initial, fields: ['name', ...scopeFieldNames] })
  const above =
    resource === '' ? (
      <Crumb to="/apis" search={{ tab: 'scopes' }}>
        {say(apis.title)}
      </Crumb>
    ) : (
      <Crumb to="/apis/$id" params={{ id: resource }} search={{ tab: 'scopes' }}>
        {say(apis.one)}
      </Crumb>
    )
  const send = async ({ name, ...rest }: NewScope): Promise<void> => {
    const body = Object.fromEntries(
      Object.entries({ name: name.trim(), ...scopeBody(rest) }).filter(([, value]) => value !== null),
    )
    const made = await answered(api.POST('/v1/scopes', { body: body as never }))
    await refresh('/v1/scopes')
    toasts.done(say(scopes.made))
    go(
      made.resource === undefined
        ? { to: '/apis', search: { tab: 'scopes' } }
        : { to: '/apis/$id', params: { id: made.resource }, search: { tab: 'scopes' } },
    )
  }
  return (
    <form onSubmit={sending(() => void form.submit(send))} noValidate>
      <PageHeader above={above} title={say(scopes.create)} />
      <Card footer={<FormFooter form={form} action={say(frame.create)} />}>
        <div className="stack">
          <RestoredNotice form={form} />
          <TextField
            label={say(scopes.name)}
            hint={say(scopes.nameHint)}
            placeholder="orders:read"
            value={form.values.name}
            onChange={(name) => form.set({ name })}
            {...given({ fault: form.faultOf('name') })}
          />
          <ScopeFields form={form} />
        </div>
      </Card>
    </form>
  )
}
