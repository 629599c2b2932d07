/** One client: its settings, its credentials, who allowed it what, and lines that run. */
import { ItemPage } from '../../app/items/item-page.tsx'
import { Tabs } from '../../app/items/tabs.tsx'
import { useItem } from '../../app/items/use-item.ts'
import { Crumb, usePathParams } from '../../app/link.tsx'
import { clients } from '../../messages/clients.ts'
import { Badge, PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useClientTabs } from './client-tabs.tsx'
import { kinds } from './kinds.ts'
import { sourceWords, type VersionedClient } from './list.tsx'

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
  const client = item.value
  const { kind } = client
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
      <Tabs to="/clients/$id" label={say(clients.one)} tabs={useClientTabs(item)} />
    </>
  )
}
