/** The wizard: asks what one is building, makes the client, and ends with lines that run. */
import { useState } from 'react'
import { answered, type Schemas } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { useRefresh } from '../../app/items/use-item.ts'
import { FormFooter, RestoredNotice } from '../../app/forms/form-footer.tsx'
import { useForm } from '../../app/forms/use-form.ts'
import { Crumb } from '../../app/link.tsx'
import { clients, wizard } from '../../messages/clients.ts'
import { Card, PageHeader } from '../../ui/content.tsx'
import { sending } from '../../ui/dialog.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { KindChoice } from './kind-choice.tsx'
import { type KindName, kinds } from './kinds.ts'
import { NewClient } from './new-client.tsx'
import { type Wizard, WizardFields } from './wizard-fields.tsx'

const beginning = (kind: KindName): Pick<Wizard, 'redirect_uris' | 'scope'> => {
  const { redirect, scope } = kinds[kind]
  return { redirect_uris: redirect === null ? [] : [redirect], scope }
}

const initial: Wizard = { kind: 'web', name: '', ...beginning('web') }

const metadataOf = ({ kind, name, redirect_uris: uris, scope }: Wizard) => ({
  ...kinds[kind].metadata,
  client_name: name.trim(),
  scope: scope.trim(),
  redirect_uris: uris.map((uri) => uri.trim()).filter((uri) => uri !== ''),
  disabled: false,
})

export function Page() {
  const say = useSay()
  const { api } = useConsole()
  const refresh = useRefresh()
  const [made, setMade] = useState<{ readonly client: Schemas['Clients']; readonly kind: KindName } | null>(null)
  const [missing, setMissing] = useState(false)
  const form = useForm({ name: 'new-client', initial, fields: ['client_name', 'redirect_uris', 'scope'] })
  const { values } = form
  const kind = kinds[values.kind]
  const lacks = {
    name: values.name.trim() === '',
    uris: kind.redirect !== null && metadataOf(values).redirect_uris.length === 0,
  }

  if (made !== null)
    return (
      <NewClient
        {...made}
        onAnother={() => {
          form.reset({ base: initial })
          setMade(null)
        }}
      />
    )

  const submit = async (): Promise<void> => {
    setMissing(true)
    if (lacks.name || lacks.uris) return form.refuse()
    await form.submit(async () => {
      const client = await answered(api.POST('/v1/clients', { body: metadataOf(values) as never }))
      await refresh('/v1/clients')
      setMade({ client, kind: values.kind })
    })
    setMissing(false)
  }
  return (
    <form onSubmit={sending(() => void submit())} noValidate>
      <PageHeader above={<Crumb to="/clients">{say(clients.title)}</Crumb>} title={say(wizard.title)} />
      <div className="stack">
        <RestoredNotice form={form} />
        <Card title={say(wizard.what)}>
          <KindChoice value={values.kind} onChange={(name) => form.set({ kind: name, ...beginning(name) })} />
        </Card>
        <Card title={say(wizard.details)} footer={<FormFooter form={form} action={say(wizard.make)} />}>
          <WizardFields form={form} lacks={missing ? lacks : null} />
        </Card>
      </div>
    </form>
  )
}
