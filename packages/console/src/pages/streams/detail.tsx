/** One stream: whose it is, what it is told, how it fares; stopped and deleted. */
import { answered } from '../../api/client.ts'
import { ItemPage } from '../../app/items/item-page.tsx'
import { useItem } from '../../app/items/use-item.ts'
import { Crumb, PageLink, usePathParams } from '../../app/link.tsx'
import { streams } from '../../messages/streams.ts'
import { Card, Chips, Clip, type Fact, Facts, PageHeader } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { MessageLog, type MessageSource } from '../webhooks/message-log.tsx'
import { StreamActs } from './acts.tsx'
import { signalName } from './signal-name.ts'
import { type Stream, StreamStatus } from './status.tsx'

const source: MessageSource = {
  list: '/v1/streams',
  read: (api, id, body) => answered(api.POST('/v1/streams/{id}/deliveries', { params: { path: { id } }, body })),
  replay: (api, id, body) => answered(api.POST('/v1/streams/{id}/replay', { params: { path: { id } }, body })),
}

export function Page() {
  const say = useSay()
  const { id = '' } = usePathParams()
  const result = useItem<Stream>(['/v1/streams', id], (api) =>
    api.GET('/v1/streams/{id}', { params: { path: { id } } }),
  )
  const above = <Crumb to="/streams">{say(streams.title)}</Crumb>
  return (
    <ItemPage result={result} above={above}>
      {(item) => (
        <>
          <PageHeader
            above={above}
            title={item.value.description ?? say(streams.one)}
            text={item.value.endpoint_url ?? say(streams.poll)}
            actions={<StreamActs item={item} />}
          />
          <div className="stack">
            <Card>
              <StreamFacts stream={item.value} />
            </Card>
            <MessageLog id={id} source={source} isFetched={item.value.delivery === 'poll'} />
          </div>
        </>
      )}
    </ItemPage>
  )
}

function StreamFacts({ stream: it }: { readonly stream: Stream }) {
  const say = useSay()
  const client = (
    <PageLink to="/clients/$id" params={{ id: it.client_id }}>
      <Clip>{it.client_id}</Clip>
    </PageLink>
  )
  const reason = [it.held ? say(streams.held) : '', it.status_reason ?? ''].filter((text) => text !== '').join(': ')
  const facts: readonly Fact[] = [
    [say(streams.client), client],
    [say(streams.status), <StreamStatus key="status" stream={it} />],
    ...(reason === '' ? [] : ([[say(streams.reason), reason]] as const)),
    [say(streams.delivery), say(streams[it.delivery])],
    [say(streams.events), <Chips key="events" items={it.events_delivered.map(signalName)} />],
    [say(streams.made), <Moment key="made" at={it.created_at} />],
  ]
  return <Facts facts={facts} />
}
