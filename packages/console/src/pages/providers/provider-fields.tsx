/** The fields of a provider that its maker and its keeper fill in alike. */
import type { Schemas } from '../../api/client.ts'
import type { Form } from '../../app/forms/use-form.ts'
import { providers } from '../../messages/providers.ts'
import { CheckField, given, TextField } from '../../ui/field.tsx'
import { LinesField } from '../../ui/lines-field.tsx'
import { useSay } from '../../ui/preferences.tsx'

export type Provider = Schemas['Providers']

export interface EditableProvider {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly secret: string
  readonly teamId: string
  readonly keyId: string
  readonly domains: readonly string[]
  readonly create: boolean
  readonly trustEmail: boolean
  readonly trustAmr: boolean
  readonly disabled: boolean
}

/** By their names in the API, which faults are told with. */
export const providerFieldNames = [
  'name',
  'issuer',
  'client_id',
  'client_secret',
  'team_id',
  'key_id',
  'domains',
  'create',
  'trust_email',
  'trust_amr',
  'disabled',
] as const

export const newProvider: EditableProvider = {
  name: '',
  issuer: '',
  clientId: '',
  secret: '',
  teamId: '',
  keyId: '',
  domains: [],
  create: false,
  trustEmail: false,
  trustAmr: false,
  disabled: false,
}

export const editableProvider = (it: Provider): EditableProvider => ({
  name: it.name ?? '',
  issuer: it.issuer ?? '',
  clientId: it.client_id,
  secret: '',
  teamId: it.team_id ?? '',
  keyId: it.key_id ?? '',
  domains: it.domains ?? [],
  create: it.create ?? false,
  trustEmail: it.trust_email ?? false,
  trustAmr: it.trust_amr ?? false,
  disabled: it.disabled ?? false,
})

/** What is left empty is taken away; a secret that is left empty stays. */
export function providerBody(it: Partial<EditableProvider>): object {
  const text = (name: string, value: string | undefined) =>
    value === undefined ? {} : { [name]: value.trim() === '' ? null : value.trim() }
  const flag = (name: string, value: boolean | undefined) => (value === undefined ? {} : { [name]: value })
  const domains = it.domains?.map((line) => line.trim()).filter((line) => line !== '')
  return {
    ...text('name', it.name),
    ...text('issuer', it.issuer),
    ...text('client_id', it.clientId),
    ...(it.secret === undefined || it.secret === '' ? {} : { client_secret: it.secret }),
    ...text('team_id', it.teamId),
    ...text('key_id', it.keyId),
    ...(domains === undefined ? {} : { domains: domains.length === 0 ? null : domains }),
    ...flag('create', it.create),
    ...flag('trust_email', it.trustEmail),
    ...flag('trust_amr', it.trustAmr),
    ...flag('disabled', it.disabled),
  }
}

export function ProviderFields<F extends EditableProvider>({
  form,
  kind,
}: {
  readonly form: Form<F>
  readonly kind: string
}) {
  const say = useSay()
  const { values } = form
  const set = (change: Partial<EditableProvider>): void => form.set(change as Partial<F>)
  const isPlain = kind === 'oidc'
  return (
    <>
      <div className="form-grid">
        <TextField
          label={say(providers.name)}
          optional={!isPlain}
          value={values.name}
          onChange={(name) => set({ name })}
          {...given({ hint: isPlain ? undefined : say(providers.nameHint), fault: form.faultOf('name') })}
        />
        <TextField
          label={say(providers.issuer)}
          optional={!isPlain}
          placeholder="https://login.example.com"
          value={values.issuer}
          onChange={(issuer) => set({ issuer })}
          {...given({ hint: isPlain ? undefined : say(providers.issuerHint), fault: form.faultOf('issuer') })}
        />
        <TextField
          label={say(providers.clientId)}
          hint={say(providers.clientIdHint)}
          value={values.clientId}
          onChange={(clientId) => set({ clientId })}
          {...given({ fault: form.faultOf('client_id') })}
        />
        <TextField
          label={say(providers.secret)}
          hint={say(providers.secretHint)}
          optional
          value={values.secret}
          onChange={(secret) => set({ secret })}
          {...given({ fault: form.faultOf('client_secret') })}
        />
      </div>
      {kind === 'apple' ? (
        <div className="form-grid">
          <TextField
            label={say(providers.teamId)}
            value={values.teamId}
            onChange={(teamId) => set({ teamId })}
            {...given({ fault: form.faultOf('team_id') })}
          />
          <TextField
            label={say(providers.keyId)}
            value={values.keyId}
            onChange={(keyId) => set({ keyId })}
            {...given({ fault: form.faultOf('key_id') })}
          />
        </div>
      ) : null}
      <LinesField
        label={say(providers.domains)}
        hint={say(providers.domainsHint)}
        add={say(providers.addDomain)}
        placeholder="example.com"
        value={values.domains}
        onChange={(domains) => set({ domains })}
        {...given({ fault: form.faultOf('domains') })}
      />
      <CheckField
        label={say(providers.createAccounts)}
        hint={say(providers.createAccountsHint)}
        value={values.create}
        onChange={(create) => set({ create })}
      />
      <CheckField
        label={say(providers.trustEmail)}
        hint={say(providers.trustEmailHint)}
        value={values.trustEmail}
        onChange={(trustEmail) => set({ trustEmail })}
      />
      <CheckField
        label={say(providers.trustAmr)}
        hint={say(providers.trustAmrHint)}
        value={values.trustAmr}
        onChange={(trustAmr) => set({ trustAmr })}
      />
      <CheckField
        label={say(providers.disabled)}
        hint={say(providers.disabledHint)}
        value={values.disabled}
        onChange={(disabled) => set({ disabled })}
      />
    </>
  )
}
