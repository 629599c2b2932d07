/** Whether people make accounts themselves, with which addresses, and the terms that everybody agrees to. */
import type { Versioned } from '../../api/client.ts'
import { ApiProblem, withoutMember } from '../../api/problem.ts'
import { useConsole } from '../../app/console-context.ts'
import { EditForm } from '../../app/forms/edit-form.tsx'
import { useEdit } from '../../app/forms/use-edit.ts'
import { accounts, signUp } from '../../messages/accounts.ts'
import { CheckField, given, TextField } from '../../ui/field.tsx'
import { LinesField } from '../../ui/lines-field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Tenant } from '../tenants/list.tsx'
import { useTenantCalls } from '../tenants/use-tenant.ts'
import { accountsPatch, editableAccounts, type EditableAccounts } from './account-policy.ts'

export function SignUpSettings({ item }: { readonly item: Versioned<Tenant> }) {
  const say = useSay()
  const { session } = useConsole()
  const calls = useTenantCalls(item.value.id)
  const edit = useEdit<Tenant, EditableAccounts>({
    name: `tenant-accounts/${item.value.id}`,
    list: '/v1/tenants',
    item,
    editable: editableAccounts,
    fields: ['sign_up', 'sign_up_domains', 'sign_in_links', 'terms'],
    read: calls.read,
    async write(changes, etag) {
      try {
        return await calls.patch({ accounts: accountsPatch(changes) }, etag)
      } catch (error) {
        throw error instanceof ApiProblem ? withoutMember(error, 'accounts') : error
      }
    },
  })
  const { form } = edit
  const labels: Readonly<Record<keyof EditableAccounts, string>> = {
    sign_up: say(signUp.on),
    sign_up_domains: say(signUp.domains),
    sign_in_links: say(signUp.links),
    terms_version: say(signUp.termsVersion),
    terms_url: say(signUp.termsUrl),
  }
  return (
    <EditForm
      edit={edit}
      labels={labels}
      title={say(accounts.tabSignUp)}
      text={say(signUp.text)}
      readOnly={!session.may('admin:tenants:write')}
    >
      <CheckField
        label={labels.sign_up}
        hint={say(signUp.onHint)}
        value={form.values.sign_up}
        onChange={(on) => form.set({ sign_up: on })}
      />
      <LinesField
        label={labels.sign_up_domains}
        hint={say(signUp.domainsHint)}
        add={say(signUp.addDomain)}
        placeholder="example.com"
        value={form.values.sign_up_domains}
        onChange={(domains) => form.set({ sign_up_domains: domains })}
        {...given({ fault: form.faultOf('sign_up_domains') })}
      />
      <CheckField
        label={labels.sign_in_links}
        hint={say(signUp.linksHint)}
        value={form.values.sign_in_links}
        onChange={(on) => form.set({ sign_in_links: on })}
      />
      <div className="form-grid">
        <TextField
          label={labels.terms_version}
          hint={say(signUp.termsVersionHint)}
          optional
          value={form.values.terms_version}
          onChange={(version) => form.set({ terms_version: version })}
          {...given({ fault: form.faultOf('terms') })}
        />
        <TextField
          label={labels.terms_url}
          hint={say(signUp.termsUrlHint)}
          optional
          placeholder="https://example.com/terms"
          value={form.values.terms_url}
          onChange={(url) => form.set({ terms_url: url })}
        />
      </div>
    </EditForm>
  )
}
