/** One tenant: its settings, who may register clients there, and its end. */
import type { Versioned } from '../../api/client.ts'
import { ItemPage } from '../../app/items/item-page.tsx'
import { Tabs } from '../../app/items/tabs.tsx'
import { Crumb, usePathParams } from '../../app/link.tsx'
import { branding } from '../../messages/branding.ts'
import { tenants } from '../../messages/tenants.ts'
import { Badge, PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { BrandingForm } from '../branding/branding-form.tsx'
import { firstTenant, type Tenant, TenantState } from './list.tsx'
import { RegistrationPolicy } from './registration-policy.tsx'
import { TenantSettings } from './settings.tsx'
import { useTenant } from './use-tenant.ts'

export function Page() {
  const { id = '' } = usePathParams()
  const say = useSay()
  const result = useTenant(id)
  return (
    <ItemPage result={result} above={<Crumb to="/tenants">{say(tenants.title)}</Crumb>}>
      {(item) => <TenantDetail key={id} item={item} />}
    </ItemPage>
  )
}

function TenantDetail({ item }: { readonly item: Versioned<Tenant> }) {
  const say = useSay()
  const tenant = item.value
  return (
    <>
      <PageHeader
        above={<Crumb to="/tenants">{say(tenants.title)}</Crumb>}
        title={<span dir="auto">{tenant.name}</span>}
        text={
          <span className="row">
            <span className="mono">{tenant.id}</span>
            <TenantState tenant={tenant} />
            {tenant.id === firstTenant ? <Badge tone="info">{say(tenants.first)}</Badge> : null}
          </span>
        }
      />
      <Tabs
        to="/tenants/$id"
        label={say(tenants.one)}
        tabs={[
          { id: 'settings', title: say(tenants.tabSettings), content: () => <TenantSettings item={item} /> },
          {
            id: 'registration',
            title: say(tenants.tabRegistration),
            content: () => <RegistrationPolicy item={item} />,
          },
          { id: 'branding', title: say(branding.title), content: () => <BrandingForm item={item} /> },
        ]}
      />
    </>
  )
}
