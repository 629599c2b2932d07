/** One client: its settings, its credentials, who allowed it what, and lines that run. */
import { useConsole } from '../../app/console-context.ts'
import { ItemPage } from '../../app/items/item-page.tsx'
import { Tabs } from '../../app/items/tabs.tsx'
import { useItem } from '../../app/items/use-item.ts'
import { EventList } from '../audit/event-list.tsx'
import { Crumb, usePathParams } from '../../app/link.tsx'
import { clients, preview } from '../../messages/clients.ts'
import { Badge, PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { GrantList } from '../grants/grant-list.tsx'
import { Credentials } from './credentials.tsx'
import { kindOf, kinds } from './kinds.ts'
import { sourceWords, type VersionedClient } from './list.tsx'
import { ClientSettings } from './settings.tsx'
import { Snippets } from './snippets-card.tsx'
import { TokenPreview } from './token-preview.tsx'

export function Page() {
  const { id = '' } = usePathParams()
  const say = useSay()
  const result = useItem(['/v1/clients', id], (api) => api.GET('/v1/clients/{id}', { params: { path: { id } } }))
  const above = <Crumb to="/clients">{say(clients.title)}</Crumb>
  return (
    <ItemPage result={result} above={above}>
      {(item) => <ClientDetail key={id} item={item} />}
    </ItemPage>
  )
}

function ClientDetail({ item }: { readonly item: VersionedClient }) {
  const say = useSay()
  const { place, session } = useConsole()
  const client = item.value
  const kind = kindOf(client)
  const filter = { client_id: client.id }
  const tabs = [
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
  return (
    <>
      <PageHeader
        above={<Crumb to="/clients">{say(clients.title)}</Crumb>}
        title={<span dir="auto">{client.client_name ?? client.id}</span>}
        text={
          <span className="row">
            <span>{say(kinds[kind].title)}</span>
            <Badge>{say(sourceWords[client.origin])}</Badge>
            {client.disabled ? <Badge tone="danger">{say(clients.disabled)}</Badge> : null}
          </span>
        }
      />
      <Tabs to="/clients/$id" label={say(clients.one)} tabs={tabs} />
    </>
  )
}
