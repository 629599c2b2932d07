/** How the tenant of this console looks to people. */
import { ItemPage } from '../../app/items/item-page.tsx'
import { useConsole } from '../../app/console-context.ts'
import { branding } from '../../messages/branding.ts'
import { PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { firstTenant } from '../tenants/list.tsx'
import { useTenant } from '../tenants/use-tenant.ts'
import { BrandingForm } from './branding-form.tsx'

export function Page() {
  const say = useSay()
  const { place } = useConsole()
  const id = place.tenant ?? firstTenant
  const result = useTenant(id)
  return (
    <ItemPage result={result} above={null}>
      {(item) => (
        <>
          <PageHeader title={say(branding.title)} text={say(branding.text)} />
          <BrandingForm key={id} item={item} />
        </>
      )}
    </ItemPage>
  )
}
