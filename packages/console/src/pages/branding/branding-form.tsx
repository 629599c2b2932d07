/** How a tenant looks: the fields, what is wrong with them, and what people would see. */
import { ApiProblem, withoutMember } from '../../api/problem.ts'
import type { Versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { EditForm } from '../../app/forms/edit-form.tsx'
import { useEdit } from '../../app/forms/use-edit.ts'
import { branding } from '../../messages/branding.ts'
import { Button } from '../../ui/button.tsx'
import { given, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Tenant } from '../tenants/list.tsx'
import { useTenantCalls } from '../tenants/use-tenant.ts'
import { type BrandingFields, brandingPatch, editableBranding, nothing } from './branding-fields.ts'
import { ColourField } from './colour-field.tsx'
import { LogoField } from './logo-field.tsx'
import { Previews } from './previews.tsx'

export function BrandingForm({ item }: { readonly item: Versioned<Tenant> }) {
  const say = useSay()
  const { session } = useConsole()
  const tenant = item.value
  const calls = useTenantCalls(tenant.id)
  const edit = useEdit<Tenant, BrandingFields>({
    name: `tenant-branding/${tenant.id}`,
    list: '/v1/tenants',
    item,
    editable: editableBranding,
    fields: Object.keys(nothing),
    read: calls.read,
    async write(changes, etag) {
      try {
        return await calls.patch(brandingPatch(changes), etag)
      } catch (error) {
        throw error instanceof ApiProblem ? withoutMember(error, 'branding') : error
      }
    },
  })
  const { form } = edit
  const labels: Readonly<Record<keyof BrandingFields, string>> = {
    name: say(branding.name),
    logo: say(branding.logo),
    accent: say(branding.accent),
    background: say(branding.background),
  }
  const field = (name: keyof BrandingFields) => ({
    label: labels[name],
    value: form.values[name],
    onChange: (value: string) => form.set({ [name]: value }),
    ...given({ fault: form.faultOf(name) }),
  })
  const readOnly = !session.may('admin:tenants:write')
  const isEmpty = Object.values(form.values).every((value) => value === '')
  return (
    <div className="stack">
      <EditForm edit={edit} labels={labels} title={say(branding.form)} readOnly={readOnly}>
        <div className="brand-fields">
          <TextField {...field('name')} hint={say(branding.nameHint)} placeholder={tenant.name} dir="auto" />
          <LogoField {...field('logo')} hint={say(branding.logoHint)} />
          <ColourField {...field('accent')} hint={say(branding.accentHint)} />
          <ColourField {...field('background')} hint={say(branding.backgroundHint)} />
        </div>
        {readOnly || isEmpty ? null : (
          <div className="row">
            <Button size="small" icon="refresh" onClick={() => form.set(nothing)}>
              {say(branding.reset)}
            </Button>
          </div>
        )}
      </EditForm>
      <Previews tenant={tenant} fields={form.values} />
    </div>
  )
}
