/** The fields of a provider that its maker and its keeper fill in alike. */
import type { Form } from '../../app/forms/use-form.ts'
import { providers } from '../../messages/providers.ts'
import { CheckField, given, TextField } from '../../ui/field.tsx'
import { LinesField } from '../../ui/lines-field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { DirectoryFields } from './directory-fields.tsx'
import { type EditableProvider, fieldsOfKind, type Provider } from './editable-provider.ts'
import { SamlFields } from './saml-fields.tsx'
import { SignalsFields } from './signals-fields.tsx'

export function ProviderFields<F extends EditableProvider>({
  form,
  kind,
}: {
  readonly form: Form<F>
  readonly kind: Provider['kind']
}) {
  const say = useSay()
  const { values } = form
  const set = (change: Partial<EditableProvider>): void => form.set(change as Partial<F>)
  const asked = fieldsOfKind(kind)
  const isLdap = asked.has('baseDn')
  const isSaml = asked.has('ssoUrl')
  const isPlain = kind === 'oidc' || isLdap || isSaml
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
        {isLdap ? (
          <TextField
            label={say(providers.baseDn)}
            hint={say(providers.baseDnHint)}
            placeholder="dc=example,dc=com"
            value={values.baseDn}
            onChange={(baseDn) => set({ baseDn })}
            {...given({ fault: form.faultOf('base_dn') })}
          />
        ) : (
          <TextField
            label={say(isSaml ? providers.entityId : providers.issuer)}
            optional={!isPlain}
            placeholder="https://login.example.com"
            value={values.issuer}
            onChange={(issuer) => set({ issuer })}
            {...given({ hint: isPlain ? undefined : say(providers.issuerHint), fault: form.faultOf('issuer') })}
          />
        )}
        <TextField
          label={say(isLdap ? providers.bindDn : isSaml ? providers.ownEntityId : providers.clientId)}
          hint={say(isLdap ? providers.bindDnHint : providers.clientIdHint)}
          value={values.clientId}
          onChange={(clientId) => set({ clientId })}
          {...given({ fault: form.faultOf('client_id') })}
        />
        {asked.has('secret') ? (
          <TextField
            label={say(isLdap ? providers.bindPassword : providers.secret)}
            hint={say(providers.secretHint)}
            optional
            value={values.secret}
            onChange={(secret) => set({ secret })}
            {...given({ fault: form.faultOf('client_secret') })}
          />
        ) : null}
        {asked.has('signingAlg') ? (
          <TextField
            label={say(providers.signingAlg)}
            hint={say(providers.signingAlgHint)}
            optional
            placeholder="RS256"
            value={values.signingAlg}
            onChange={(signingAlg) => set({ signingAlg })}
            {...given({ fault: form.faultOf('id_token_signed_response_alg') })}
          />
        ) : null}
      </div>
      {asked.has('teamId') ? (
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
      {isSaml ? <SamlFields values={values} set={set} faultOf={form.faultOf} /> : null}
      {isLdap ? <DirectoryFields values={values} set={set} faultOf={form.faultOf} /> : null}
      {asked.has('signalsUrl') ? <SignalsFields values={values} set={set} faultOf={form.faultOf} /> : null}
      <LinesField
        label={say(providers.domains)}
        hint={say(isLdap ? providers.domainsOfDirectory : providers.domainsHint)}
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
        {...given({ fault: form.faultOf('create') })}
      />
      <CheckField
        label={say(providers.trustEmail)}
        hint={say(isLdap || isSaml ? providers.trustEmailOfDirectory : providers.trustEmailHint)}
        value={values.trustEmail}
        onChange={(trustEmail) => set({ trustEmail })}
        {...given({ fault: form.faultOf('trust_email') })}
      />
      {asked.has('trustAmr') ? (
        <CheckField
          label={say(providers.trustAmr)}
          hint={say(providers.trustAmrHint)}
          value={values.trustAmr}
          onChange={(trustAmr) => set({ trustAmr })}
          {...given({ fault: form.faultOf('trust_amr') })}
        />
      ) : null}
      <CheckField
        label={say(providers.disabled)}
        hint={say(providers.disabledHint)}
        value={values.disabled}
        onChange={(disabled) => set({ disabled })}
        {...given({ fault: form.faultOf('disabled') })}
      />
    </>
  )
}
