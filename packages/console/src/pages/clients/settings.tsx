/** The settings of a client, to be changed: only what was changed is sent, on the version it was based on. */
import { ifMatch, type Versioned, versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { EditForm } from '../../app/forms/edit-form.tsx'
import { claimLines, claimMappings } from '../../app/forms/claim-lines.ts'
import { useEdit } from '../../app/forms/use-edit.ts'
import { branding } from '../../messages/branding.ts'
import { clients } from '../../messages/clients.ts'
import { CheckField, given, TextField } from '../../ui/field.tsx'
import { LinesField } from '../../ui/lines-field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { ColourField } from '../branding/colour-field.tsx'
import { ClientFacts, RemoveClient } from './client-facts.tsx'
import type { Client } from './list.tsx'
import { RedirectTry } from './redirect-try.tsx'

/** What the form changes of a client. */
const editable = (client: Client) => ({
  client_name: client.client_name ?? '',
  client_uri: client.client_uri ?? '',
  logo_uri: client.logo_uri ?? '',
  accent: client.accent ?? '',
  background: client.background ?? '',
  redirect_uris: (client.redirect_uris ?? []) as readonly string[],
  scope: client.scope ?? '',
  claim_mappings: claimLines(client.claim_mappings),
  dpop_bound_access_tokens: client.dpop_bound_access_tokens ?? false,
  require_pushed_authorization_requests: client.require_pushed_authorization_requests ?? false,
  disabled: client.disabled,
})

/** What people see of it where they sign in. */
const shownTexts = ['logo_uri', 'accent', 'background'] as const

type Editable = ReturnType<typeof editable>

/** RFC 7396: an empty text takes a field away. */
const patchOf = ({ claim_mappings: claims, ...changes }: Partial<Editable>): object => ({
  ...Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      name,
      value === ''
        ? null
        : Array.isArray(value)
          ? value.map((it: string) => it.trim()).filter((it) => it !== '')
          : value,
    ]),
  ),
  ...(claims === undefined ? {} : { claim_mappings: claimMappings(claims) }),
})

export function ClientSettings({ item }: { readonly item: Versioned<Client> }) {
  const say = useSay()
  const { api, session } = useConsole()
  const { id } = item.value
  const edit = useEdit<Client, Editable>({
    name: `client/${id}`,
    list: '/v1/clients',
    item,
    editable,
    fields: [...shownTexts, 'client_name', 'client_uri', 'redirect_uris', 'scope', 'claim_mappings'],
    read: () => versioned(api.GET('/v1/clients/{id}', { params: { path: { id } } })),
    write: (changes, etag) =>
      versioned(
        api.PATCH('/v1/clients/{id}', {
          params: { path: { id } },
          body: patchOf(changes) as never,
          ...(ifMatch(etag) as object),
        }),
      ),
  })
  const { form } = edit
  const { values } = form
  const labels: Readonly<Record<string, string>> = {
    client_name: say(clients.name),
    client_uri: say(clients.homepage),
    logo_uri: say(clients.logo),
    accent: say(branding.accent),
    background: say(branding.background),
    redirect_uris: say(clients.redirectUris),
    scope: say(clients.scopes),
    claim_mappings: say(clients.claims),
    dpop_bound_access_tokens: say(clients.dpop),
    require_pushed_authorization_requests: say(clients.par),
    disabled: say(clients.disable),
  }
  const shownText = (name: (typeof shownTexts)[number]) => ({
    label: labels[name] ?? '',
    value: values[name],
    onChange: (text: string) => form.set({ [name]: text }),
    ...given({ fault: form.faultOf(name) }),
  })
  return (
    <div className="stack">
      <EditForm
        edit={edit}
        labels={labels}
        title={say(clients.tabSettings)}
        text={say(clients.settingsText)}
        readOnly={!session.may('admin:clients:write')}
      >
        <div className="form-grid">
          <TextField
            label={labels['client_name'] ?? ''}
            value={values.client_name}
            onChange={(name) => form.set({ client_name: name })}
            {...given({ fault: form.faultOf('client_name') })}
          />
          <TextField
            label={labels['client_uri'] ?? ''}
            optional
            value={values.client_uri}
            onChange={(uri) => form.set({ client_uri: uri })}
            {...given({ fault: form.faultOf('client_uri') })}
          />
        </div>
        {(item.value.response_types ?? ['code']).length === 0 ? null : (
          <>
            <div className="form-grid">
              <TextField {...shownText('logo_uri')} optional hint={say(clients.logoHint)} />
              <ColourField {...shownText('accent')} hint={say(clients.accentHint)} />
              <ColourField {...shownText('background')} hint={say(clients.backgroundHint)} />
            </div>
            <LinesField
              label={labels['redirect_uris'] ?? ''}
              hint={say(clients.redirectUrisHint)}
              add={say(clients.addUri)}
              value={values.redirect_uris}
              onChange={(uris) => form.set({ redirect_uris: uris })}
              {...given({ fault: form.faultOf('redirect_uris') })}
            />
            <RedirectTry registered={values.redirect_uris} isNative={item.value.application_type === 'native'} />
          </>
        )}
        <TextField
          label={labels['scope'] ?? ''}
          hint={say(clients.scopesHint)}
          value={values.scope}
          onChange={(scope) => form.set({ scope })}
          {...given({ fault: form.faultOf('scope') })}
        />
        <LinesField
          label={say(clients.claims)}
          hint={say(clients.claimsHint)}
          add={say(clients.addClaim)}
          placeholder="department = attributes.department"
          value={values.claim_mappings}
          onChange={(lines) => form.set({ claim_mappings: lines })}
          {...given({ fault: form.faultOf('claim_mappings') })}
        />
        <CheckField
          label={say(clients.dpop)}
          hint={say(clients.dpopHint)}
          value={values.dpop_bound_access_tokens}
          onChange={(bound) => form.set({ dpop_bound_access_tokens: bound })}
        />
        <CheckField
          label={say(clients.par)}
          value={values.require_pushed_authorization_requests}
          onChange={(pushed) => form.set({ require_pushed_authorization_requests: pushed })}
        />
        <CheckField
          label={say(clients.disable)}
          hint={say(clients.disableHint)}
          value={values.disabled}
          onChange={(disabled) => form.set({ disabled })}
        />
      </EditForm>
      <ClientFacts client={item.value} />
      {session.may('admin:clients:write') ? <RemoveClient item={item} /> : null}
    </div>
  )
}
