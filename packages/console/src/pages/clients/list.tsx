/** The list of clients. */
import type { Schemas, Versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ChoiceFilter, SearchFilter } from '../../app/lists/filters.tsx'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { ButtonLink } from '../../app/link.tsx'
import { clients } from '../../messages/clients.ts'
import type { Words } from '../../messages/words.ts'
import { Badge, Empty, PageHeader } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { ClientName } from './client-name.tsx'
import { kindNames, kinds } from './kinds.ts'

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
  const { session } = useConsole()
  const list = useList('/v1/clients', { filters: ['client_name[contains]', 'kind', 'origin'] })
  const mayWrite = session.may('admin:clients:write')
  const create = (
    <ButtonLink to="/new-client" kind="primary" icon="plus">
      {say(clients.create)}
    </ButtonLink>
  )
  const columns: readonly Column<Client>[] = [
    {
      title: say(clients.name),
      width: '30%',
      cell: (it) => <ClientName client={it} />,
    },
    { title: say(clients.kind), cell: (it) => say(kinds[it.kind].title) },
    {
      title: say(clients.source),
      width: '19%',
      cell: (it) => <Badge tone={it.origin === 'manual' ? 'plain' : 'info'}>{say(sourceWords[it.origin])}</Badge>,
    },
    {
      title: say(clients.state),
      width: '12%',
      cell: (it) => (
        <Badge tone={it.disabled ? 'danger' : 'done'}>{say(it.disabled ? clients.disabled : clients.active)}</Badge>
      ),
    },
    { title: say(clients.used), cell: (it) => <Moment at={it.last_used_at} />, width: '15%' },
  ]
  return (
    <>
      <PageHeader title={say(clients.title)} text={say(clients.text)} actions={mayWrite ? create : undefined} />
      <div className="toolbar">
        <SearchFilter
          label={say(clients.find)}
          value={list.filters['client_name[contains]'] ?? ''}
          onChange={(value) => list.setFilter('client_name[contains]', value)}
        />
        <ChoiceFilter
          label={say(clients.kind)}
          value={list.filters['kind'] ?? ''}
          onChange={(value) => list.setFilter('kind', value)}
          options={kindNames.map((value) => ({ value, label: say(kinds[value].title) }))}
        />
        <ChoiceFilter
          label={say(clients.source)}
          value={list.filters['origin'] ?? ''}
          onChange={(value) => list.setFilter('origin', value)}
          options={Object.entries(sourceWords).map(([value, words]) => ({ value, label: say(words) }))}
        />
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
