/** The list of clients. */
import type { Schemas } from '../../api/client.ts'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { PageLink } from '../../app/link.tsx'
import { clients } from '../../messages/clients.ts'
import { Badge, Clip, Empty, PageHeader } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'

export function Page() {
  const say = useSay()
  const list = useList('/v1/clients', { filters: [] })
  const columns: readonly Column<Schemas['Clients']>[] = [
    {
      title: say(clients.name),
      width: '40%',
      cell: (it) => (
        <PageLink to="/clients/$id" params={{ id: it.id }} className="row-link">
          <Clip>{it.client_name ?? it.id}</Clip>
        </PageLink>
      ),
    },
    { title: say(clients.source), cell: (it) => <Badge>{it.origin}</Badge> },
    { title: say(clients.changed), cell: (it) => <Moment at={it.updated_at} /> },
  ]
  return (
    <>
      <PageHeader title={say(clients.title)} text={say(clients.text)} />
      <ListTable
        label={say(clients.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={<Empty icon="client" title={say(clients.none)} text={say(clients.noneText)} />}
      />
    </>
  )
}
