/** Adding a provider. */
import { answered, isChangedMeanwhile } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { FormFooter, RestoredNotice } from '../../app/forms/form-footer.tsx'
import { useForm } from '../../app/forms/use-form.ts'
import { useRefresh } from '../../app/items/use-item.ts'
import { Crumb, useGo } from '../../app/link.tsx'
import { frame } from '../../messages/frame.ts'
import { providers } from '../../messages/providers.ts'
import { Card, PageHeader } from '../../ui/content.tsx'
import { sending } from '../../ui/dialog.tsx'
import { given, SelectField, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import {
  faultNames,
  namedKinds,
  type EditableProvider,
  newProvider,
  type Provider,
  providerBody,
  providerSecrets,
} from './editable-provider.ts'
import { ProviderFields } from './provider-fields.tsx'

interface NewProvider extends EditableProvider {
  readonly id: string
  readonly kind: Provider['kind']
}

/** RFC 9110 §13.1.2: makes, and never replaces. */
const onlyNew = { 'If-None-Match': '*' }

export function Page() {
  const say = useSay()
  const go = useGo()
  const { api } = useConsole()
  const toasts = useToasts()
  const refresh = useRefresh()
  const initial: NewProvider = { ...newProvider, id: '', kind: 'oidc' }
  const form = useForm({
    name: 'new-provider',
    initial,
    fields: ({ kind }) => ['id', 'kind', ...faultNames(kind)],
    secrets: providerSecrets,
  })
  const send = async ({ id, kind, ...rest }: NewProvider): Promise<void> => {
    const body = Object.fromEntries(
      Object.entries({ kind, ...providerBody(kind, rest) }).filter(([, value]) => value !== null),
    )
    const path = { id: id.trim() }
    const call =
      path.id === ''
        ? api.POST('/v1/providers', { body: body as never })
        : api.PUT('/v1/providers/{id}', { params: { path }, headers: onlyNew, body: body as never })
    await answered(call).catch((error: unknown) => {
      throw isChangedMeanwhile(error) ? new Error(say(providers.idTaken), { cause: error }) : error
    })
    await refresh('/v1/providers')
    toasts.done(say(providers.made))
    go({ to: '/providers' })
  }
  return (
    <form onSubmit={sending(() => void form.submit(send))} noValidate>
      <PageHeader above={<Crumb to="/providers">{say(providers.title)}</Crumb>} title={say(providers.create)} />
      <Card footer={<FormFooter form={form} action={say(frame.create)} />}>
        <div className="stack">
          <RestoredNotice form={form} />
          <div className="form-grid">
            <SelectField
              label={say(providers.kind)}
              value={form.values.kind}
              onChange={(kind) => form.set({ kind: kind as Provider['kind'] })}
              options={[
                { value: 'oidc', label: say(providers.kindPlain) },
                ...namedKinds,
                { value: 'saml', label: say(providers.kindSaml) },
                { value: 'ldap', label: say(providers.kindLdap) },
              ]}
              {...given({ fault: form.faultOf('kind') })}
            />
            <TextField
              label={say(providers.id)}
              optional
              hint={say(providers.idHint, { id: form.values.id === '' ? '…' : form.values.id })}
              placeholder="google"
              value={form.values.id}
              onChange={(id) => form.set({ id })}
              {...given({ fault: form.faultOf('id') })}
            />
          </div>
          <ProviderFields form={form} kind={form.values.kind} />
        </div>
      </Card>
    </form>
  )
}
