/** The streams of shared signals: whose they are, what they tell, and how they fare. */
import { PageLink } from '../../app/link.tsx'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { streams } from '../../messages/streams.ts'
import { Chips, Clip, Empty, PageHeader } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { signalName } from './signal-name.ts'
import { type Stream, StreamStatus } from './status.tsx'

export function Page() {
  const say = useSay()
  const list = useList('/v1/streams', { filters: [] })
  const columns: readonly Column<Stream>[] = [
    {
      title: say(streams.client),
      width: '26%',
      cell: (it) => (
        <PageLink to="/streams/$id" params={{ id: it.id }}>
          <Clip>{it.client_id}</Clip>
        </PageLink>
      ),
    },
    { title: say(streams.events), cell: (it) => <Chips items={it.events_delivered.map(signalName)} /> },
    { title: say(streams.delivery), width: '12%', cell: (it) => say(streams[it.delivery]) },
    { title: say(streams.status), width: '16%', cell: (it) => <StreamStatus stream={it} /> },
    { title: say(streams.made), width: '9rem', cell: (it) => <Moment at={it.created_at} /> },
  ]
  return (
    <>
      <PageHeader title={say(streams.title)} text={say(streams.text)} />
      <ListTable
        label={say(streams.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={<Empty icon="signal" title={say(streams.none)} text={say(streams.noneText)} />}
      />
    </>
  )
}
