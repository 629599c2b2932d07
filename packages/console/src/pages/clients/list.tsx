/** The list of clients. */
import type { Schemas, Versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { ButtonLink, PageLink, useGo } from '../../app/link.tsx'
import { OpenById } from '../../app/lists/open-by-id.tsx'
import { clients } from '../../messages/clients.ts'
import type { Words } from '../../messages/words.ts'
import { Badge, Clip, Empty, PageHeader } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { kindOf, kinds } from './kinds.ts'

export type Client = Schemas['Clients']
export type VersionedClient = Versioned<Client>

export const sourceWords: Readonly<Record<Client['origin'], Words>> = {
  manual: clients.sourceManual,
  declared: clients.sourceDeclared,
  dynamic: clients.sourceDynamic,
  document: clients.sourceDocument,
}

export function Page() {
  const say = useSay()
  const go = useGo()
  const { session } = useConsole()
  const list = useList('/v1/clients', { filters: [] })
  const mayWrite = session.may('admin:clients:write')
  const create = (
    <ButtonLink to="/new-client" kind="primary" icon="plus">
      {say(clients.create)}
    </ButtonLink>
  )
  const columns: readonly Column<Client>[] = [
    {
      title: say(clients.name),
      width: '34%',
      cell: (it) => (
        <div>
          <PageLink to="/clients/$id" params={{ id: it.id }} className="row-link">
            <Clip>{it.client_name ?? it.id}</Clip>
          </PageLink>
          <span className="muted small">
            <Clip mono>{it.id}</Clip>
          </span>
        </div>
      ),
    },
    { title: say(clients.kind), cell: (it) => say(kinds[kindOf(it)].title) },
    {
      title: say(clients.source),
      cell: (it) => <Badge tone={it.origin === 'manual' ? 'plain' : 'info'}>{say(sourceWords[it.origin])}</Badge>,
    },
    {
      title: say(clients.state),
      cell: (it) => (
        <Badge tone={it.disabled ? 'danger' : 'done'}>{say(it.disabled ? clients.disabled : clients.active)}</Badge>
      ),
    },
    { title: say(clients.changed), cell: (it) => <Moment at={it.updated_at} />, width: '15%' },
  ]
  return (
    <>
      <PageHeader title={say(clients.title)} text={say(clients.text)} actions={mayWrite ? create : undefined} />
      <div className="toolbar">
        <OpenById label={say(clients.find)} onOpen={(id) => go({ to: '/clients/$id', params: { id } })} />
      </div>
      <ListTable
        label={say(clients.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={
          <Empty icon="client" title={say(clients.none)} text={say(clients.noneText)}>
            {mayWrite ? create : undefined}
          </Empty>
        }
      />
    </>
  )
}
