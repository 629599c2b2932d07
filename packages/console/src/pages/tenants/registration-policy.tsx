/** Who may register clients in a tenant, and what becomes of those that nobody uses. */
import { ApiProblem, withoutMember } from '../../api/problem.ts'
import type { Versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { EditForm } from '../../app/forms/edit-form.tsx'
import { useEdit } from '../../app/forms/use-edit.ts'
import { policy } from '../../messages/tenants.ts'
import type { Words } from '../../messages/words.ts'
import { given, SelectField, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Tenant } from './list.tsx'
import { editablePolicy, type PolicyFields, policyPatch } from './policy-fields.ts'
import { useTenantCalls } from './use-tenant.ts'

const choices: Readonly<Record<string, readonly (readonly [value: string, words: Words])[]>> = {
  mode: [
    ['open', policy.modeOpen],
    ['token', policy.modeToken],
    ['off', policy.modeOff],
  ],
  metadata_documents: [
    ['true', policy.on],
    ['false', policy.off],
  ],
  error_redirects: [
    ['after_consent', policy.afterConsent],
    ['always', policy.always],
  ],
}

export function RegistrationPolicy({ item }: { readonly item: Versioned<Tenant> }) {
  const say = useSay()
  const { session } = useConsole()
  const calls = useTenantCalls(item.value.id)
  const edit = useEdit<Tenant, PolicyFields>({
    name: `tenant-registration/${item.value.id}`,
    list: '/v1/tenants',
    item,
    editable: editablePolicy,
    fields: Object.keys(editablePolicy(item.value)),
    read: calls.read,
    async write(changes, etag) {
      try {
        return await calls.patch({ registration: policyPatch(changes) }, etag)
      } catch (error) {
        throw error instanceof ApiProblem ? withoutMember(error, 'registration') : error
      }
    },
  })
  const { form } = edit
  const labels: Readonly<Record<keyof PolicyFields, string>> = {
    mode: say(policy.mode),
    metadata_documents: say(policy.documents),
    error_redirects: say(policy.errorRedirects),
    scopes: say(policy.scopes),
    most_clients: say(policy.mostClients),
    unused_life: say(policy.unusedLife),
  }
  const field = (name: keyof PolicyFields) => ({
    label: labels[name],
    value: form.values[name],
    onChange: (value: string) => form.set({ [name]: value }),
    ...given({ fault: form.faultOf(name) }),
  })
  const choice = (name: keyof PolicyFields, hint?: Words) => (
    <SelectField
      {...field(name)}
      {...given({ hint: hint === undefined ? undefined : say(hint) })}
      options={[
        { value: '', label: say(policy.unsaid) },
        ...(choices[name] ?? []).map(([value, words]) => ({ value, label: say(words) })),
      ]}
    />
  )
  return (
    <EditForm
      edit={edit}
      labels={labels}
      title={say(policy.title)}
      text={say(policy.text)}
      readOnly={!session.may('admin:tenants:write')}
    >
      <div className="form-grid">
        {choice('mode')}
        {choice('metadata_documents', policy.documentsHint)}
        {choice('error_redirects', policy.errorRedirectsHint)}
        <TextField {...field('scopes')} hint={say(policy.scopesHint)} placeholder={say(policy.unsaid)} />
        <TextField
          {...field('most_clients')}
          hint={say(policy.mostClientsHint)}
          placeholder={say(policy.unsaid)}
          inputMode="numeric"
        />
        <TextField
          {...field('unused_life')}
          hint={say(policy.unusedLifeHint)}
          placeholder={say(policy.unsaid)}
          inputMode="decimal"
        />
      </div>
    </EditForm>
  )
}
