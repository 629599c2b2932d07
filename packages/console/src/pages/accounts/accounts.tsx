/** How people come to have accounts: by invitation, by themselves, by a directory. */
import { useConsole } from '../../app/console-context.ts'
import { ItemPage } from '../../app/items/item-page.tsx'
import { Tabs } from '../../app/items/tabs.tsx'
import { accounts } from '../../messages/accounts.ts'
import { PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { firstTenant } from '../tenants/list.tsx'
import { useTenant } from '../tenants/use-tenant.ts'
import { Invitations } from './invitations.tsx'
import { Provisioning } from './provisioning.tsx'
import { SignUpSettings } from './sign-up-settings.tsx'

export function Page() {
  const say = useSay()
  const { session } = useConsole()
  return (
    <>
      <PageHeader title={say(accounts.title)} text={say(accounts.text)} />
      <Tabs
        to="/accounts"
        label={say(accounts.title)}
        tabs={[
          { id: 'invitations', title: say(accounts.tabInvitations), content: () => <Invitations /> },
          ...(session.may('admin:tenants:read')
            ? [{ id: 'sign-up', title: say(accounts.tabSignUp), content: () => <SignUp /> }]
            : []),
          { id: 'provisioning', title: say(accounts.tabProvisioning), content: () => <Provisioning /> },
        ]}
      />
    </>
  )
}

function SignUp() {
  const { place } = useConsole()
  const id = place.tenant ?? firstTenant
  return (
    <ItemPage result={useTenant(id)} above={null}>
      {(item) => <SignUpSettings key={id} item={item} />}
    </ItemPage>
  )
}
