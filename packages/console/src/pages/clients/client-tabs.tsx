/** What there is to see of a client, as far as this administrator may. */
import { useConsole } from '../../app/console-context.ts'
import type { Tab } from '../../app/items/tabs.tsx'
import { clients, preview } from '../../messages/clients.ts'
import { useSay } from '../../ui/preferences.tsx'
import { EventList } from '../audit/event-list.tsx'
import { GrantList } from '../grants/grant-list.tsx'
import { Credentials } from './credentials.tsx'
import type { VersionedClient } from './list.tsx'
import { ClientSettings } from './settings.tsx'
import { Snippets } from './snippets-card.tsx'
import { TokenPreview } from './token-preview.tsx'

export function useClientTabs(item: VersionedClient): readonly Tab[] {
  const say = useSay()
  const { place, session } = useConsole()
  const client = item.value
  const { kind } = client
  const filter = { client_id: client.id }
  return [
    { id: 'settings', title: say(clients.tabSettings), content: () => <ClientSettings item={item} /> },
    { id: 'credentials', title: say(clients.tabCredentials), content: () => <Credentials item={item} /> },
    ...(session.may('admin:users:read')
      ? [{ id: 'preview', title: say(preview.tab), content: () => <TokenPreview client={client} /> }]
      : []),
    ...(session.may('admin:grants:read')
      ? [{ id: 'grants', title: say(clients.tabGrants), content: () => <GrantList fixed={filter} /> }]
      : []),
    ...(session.may('admin:events:read')
      ? [{ id: 'activity', title: say(clients.tabActivity), content: () => <EventList fixed={filter} /> }]
      : []),
    {
      id: 'snippets',
      title: say(clients.tabSnippets),
      content: () => (
        <Snippets
          kind={kind}
          facts={{
            issuer: place.issuer,
            clientId: client.id,
            secret: null,
            redirectUri: client.redirect_uris?.[0] ?? null,
            scope: client.scope ?? '',
          }}
        />
      ),
    },
  ]
}
