/** What a tenant is called and held to, where it is, and how it is taken out of use. */
import type { Versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { EditForm } from '../../app/forms/edit-form.tsx'
import { useEdit } from '../../app/forms/use-edit.ts'
import { tenants } from '../../messages/tenants.ts'
import { Copyable } from '../../ui/code.tsx'
import { Card, Facts } from '../../ui/content.tsx'
import { given, SelectField, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Tenant } from './list.tsx'
import { OutOfUse } from './out-of-use.tsx'
import { useTenantCalls } from './use-tenant.ts'

const profiles = ['fapi2-security', 'fapi2-message-signing'] as const

const editable = (tenant: Tenant) => ({
  name: tenant.name,
  profile: tenant.profile ?? '',
  require_pushed_authorization_requests:
    tenant.require_pushed_authorization_requests === undefined
      ? ''
      : tenant.require_pushed_authorization_requests
        ? 'yes'
        : 'no',
})
type Editable = ReturnType<typeof editable>

const patchOf = ({ require_pushed_authorization_requests: pushed, profile, ...rest }: Partial<Editable>): object => ({
  ...rest,
  ...(profile === undefined ? {} : { profile: profile === '' ? null : profile }),
  ...(pushed === undefined ? {} : { require_pushed_authorization_requests: pushed === '' ? null : pushed === 'yes' }),
})

export function TenantSettings({ item }: { readonly item: Versioned<Tenant> }) {
  const say = useSay()
  const { session } = useConsole()
  const tenant = item.value
  const calls = useTenantCalls(tenant.id)
  const edit = useEdit<Tenant, Editable>({
    name: `tenant/${tenant.id}`,
    list: '/v1/tenants',
    item,
    editable,
    fields: ['name', 'profile', 'require_pushed_authorization_requests'],
    read: calls.read,
    write: (changes, etag) => calls.patch(patchOf(changes), etag),
  })
  const { form } = edit
  const labels = {
    name: say(tenants.name),
    profile: say(tenants.profile),
    require_pushed_authorization_requests: say(tenants.par),
  }
  const field = (name: keyof Editable) => ({
    label: labels[name],
    value: form.values[name],
    onChange: (value: string) => form.set({ [name]: value }),
    ...given({ fault: form.faultOf(name) }),
  })
  const mayWrite = session.may('admin:tenants:write')
  return (
    <div className="stack">
      <EditForm edit={edit} labels={labels} title={say(tenants.tabSettings)} readOnly={!mayWrite}>
        <div className="form-grid">
          <TextField {...field('name')} hint={say(tenants.nameHint)} />
          <SelectField
            {...field('profile')}
            hint={say(tenants.profileHint)}
            options={[
              { value: '', label: say(tenants.profileNone) },
              ...profiles.map((profile) => ({ value: profile, label: profile })),
            ]}
          />
          <SelectField
            {...field('require_pushed_authorization_requests')}
            hint={say(tenants.parHint)}
            options={[
              { value: '', label: say(tenants.parUnsaid) },
              { value: 'yes', label: say(tenants.required) },
              { value: 'no', label: say(tenants.notRequired) },
            ]}
          />
        </div>
      </EditForm>
      <Card title={say(tenants.facts)}>
        <Facts
          facts={[
            [say(tenants.issuer), <Copyable key="issuer" text={tenant.issuer} label={say(tenants.issuer)} />],
            [
              say(tenants.console),
              <a key="console" href={`${tenant.issuer}/console`}>
                {tenant.issuer}/console
              </a>,
            ],
          ]}
        />
      </Card>
      <TrustedIssuers tenant={tenant} />
      {mayWrite ? <OutOfUse item={item} /> : null}
    </div>
  )
}

function TrustedIssuers({ tenant }: { readonly tenant: Tenant }) {
  const say = useSay()
  const issuers = tenant.trusted_issuers as readonly { readonly issuer?: string; readonly rules?: readonly unknown[] }[]
  if (issuers.length === 0) return null
  return (
    <Card title={say(tenants.trusted)} text={say(tenants.trustedText)}>
      <Facts
        facts={issuers.map(({ issuer = '–', rules = [] }) => [issuer, say(tenants.trustedRules, { n: rules.length })])}
      />
    </Card>
  )
}
