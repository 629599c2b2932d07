/** Agents and MCP: lines to copy for known clients, what has connected, and who may register. */
import { useConsole } from '../../app/console-context.ts'
import { ItemPage } from '../../app/items/item-page.tsx'
import { Tabs } from '../../app/items/tabs.tsx'
import { agents } from '../../messages/agents.ts'
import { PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { firstTenant } from '../tenants/list.tsx'
import { RegistrationPolicy } from '../tenants/registration-policy.tsx'
import { useTenant } from '../tenants/use-tenant.ts'
import { ClientsOfOrigin } from './clients-of-origin.tsx'
import { Connect } from './connect.tsx'
import { RegistrationTokens } from './registration-tokens.tsx'

export function Page() {
  const say = useSay()
  const { session } = useConsole()
  return (
    <>
      <PageHeader title={say(agents.title)} text={say(agents.text)} />
      <Tabs
        to="/agents"
        label={say(agents.title)}
        tabs={[
          { id: 'connect', title: say(agents.tabConnect), content: () => <Connect /> },
          {
            id: 'documents',
            title: say(agents.tabDocuments),
            content: () => <ClientsOfOrigin key="document" origin="document" />,
          },
          {
            id: 'registered',
            title: say(agents.tabRegistered),
            content: () => <ClientsOfOrigin key="dynamic" origin="dynamic" />,
          },
          ...(session.may('admin:registration-tokens:read')
            ? [{ id: 'tokens', title: say(agents.tabTokens), content: () => <RegistrationTokens /> }]
            : []),
          ...(session.may('admin:tenants:read')
            ? [{ id: 'policy', title: say(agents.tabPolicy), content: () => <OwnPolicy /> }]
            : []),
        ]}
      />
    </>
  )
}

/** Of the tenant whose console this is. */
function OwnPolicy() {
  const { place } = useConsole()
  const result = useTenant(place.tenant ?? firstTenant)
  return (
    <ItemPage result={result} above={null}>
      {(item) => <RegistrationPolicy item={item} />}
    </ItemPage>
  )
}
