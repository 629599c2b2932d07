/** One provider, to be changed or deleted. */
import { ifMatch, type Versioned, versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { EditForm } from '../../app/forms/edit-form.tsx'
import { useEdit } from '../../app/forms/use-edit.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { ItemPage } from '../../app/items/item-page.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { useItem } from '../../app/items/use-item.ts'
import { Crumb, useGo, usePathParams } from '../../app/link.tsx'
import { providers } from '../../messages/providers.ts'
import { PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import {
  editableProvider,
  type EditableProvider,
  faultNames,
  type Provider,
  providerBody,
  providerSecrets,
} from './editable-provider.ts'
import { PolledSignals } from './polled-signals.tsx'
import { ProviderFields } from './provider-fields.tsx'

export function Page() {
  const { id = '' } = usePathParams()
  const say = useSay()
  const result = useItem(['/v1/providers', id], (api) => api.GET('/v1/providers/{id}', { params: { path: { id } } }))
  const above = <Crumb to="/providers">{say(providers.title)}</Crumb>
  return (
    <ItemPage result={result} above={above}>
      {(item) => (
        <>
          <PageHeader above={above} title={item.value.name ?? item.value.id} />
          <ProviderSettings key={id} item={item} />
        </>
      )}
    </ItemPage>
  )
}

function ProviderSettings({ item }: { readonly item: Versioned<Provider> }) {
  const say = useSay()
  const { api, session } = useConsole()
  const { id, kind } = item.value
  const path = { id }
  const edit = useEdit<Provider, EditableProvider>({
    name: `provider/${id}`,
    list: '/v1/providers',
    item,
    editable: editableProvider,
    fields: faultNames(kind),
    secrets: providerSecrets,
    read: () => versioned(api.GET('/v1/providers/{id}', { params: { path } })),
    write: (changes, etag) =>
      versioned(
        api.PATCH('/v1/providers/{id}', {
          params: { path },
          body: providerBody(kind, changes) as never,
          ...(ifMatch(etag) as object),
        }),
      ),
  })
  const labels = {
    name: say(providers.name),
    issuer: say(providers.issuer),
    clientId: say(providers.clientId),
    secret: say(providers.secret),
    teamId: say(providers.teamId),
    keyId: say(providers.keyId),
    hosts: say(providers.hosts),
    ca: say(providers.ca),
    baseDn: say(providers.baseDn),
    filter: say(providers.filter),
    ssoUrl: say(providers.ssoUrl),
    certificates: say(providers.certificates),
    signalsUrl: say(providers.signalsUrl),
    signalsScope: say(providers.signalsScope),
    signalsAuthorization: say(providers.signalsAuthorization),
    domains: say(providers.domains),
    create: say(providers.createAccounts),
    trustEmail: say(providers.trustEmail),
    trustAmr: say(providers.trustAmr),
    disabled: say(providers.disabled),
  }
  const mayWrite = session.may('admin:providers:write')
  return (
    <div className="stack">
      <EditForm edit={edit} labels={labels} title={say(providers.one)} readOnly={!mayWrite}>
        <ProviderFields form={edit.form} kind={kind} />
      </EditForm>
      <PolledSignals provider={item.value} />
      {mayWrite ? <RemoveProvider item={item} /> : null}
    </div>
  )
}

function RemoveProvider({ item: { value, etag } }: { readonly item: Versioned<Provider> }) {
  const say = useSay()
  const go = useGo()
  const path = { id: value.id }
  const remove = useAct(
    (api) => versioned(api.DELETE('/v1/providers/{id}', { params: { path }, ...(ifMatch(etag) as object) })),
    { done: say(providers.removed), ends: '/v1/providers', draft: `provider/${path.id}` },
  )
  return (
    <div>
      <ConfirmButton
        icon="trash"
        action={say(providers.remove)}
        title={say(providers.removeTitle, { name: value.name ?? value.id })}
        text={say(providers.removeText)}
        busy={remove.busy}
        onConfirm={async () => {
          const done = await remove.run()
          if (done) go({ to: '/providers' })
          return done
        }}
      />
    </div>
  )
}
