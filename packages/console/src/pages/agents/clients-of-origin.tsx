/** Clients that came by themselves: by a document that was fetched, or by registering. */
import type { Schemas } from '../../api/client.ts'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { agents } from '../../messages/agents.ts'
import { Clip, Empty } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { ClientName } from '../clients/client-name.tsx'

const words = {
  document: {
    title: agents.tabDocuments,
    text: agents.documentsText,
    none: agents.noDocuments,
    noneText: agents.noDocumentsText,
  },
  dynamic: {
    title: agents.tabRegistered,
    text: agents.registeredText,
    none: agents.noRegistered,
    noneText: agents.noRegisteredText,
  },
} as const

type Client = Schemas['Clients']

export function ClientsOfOrigin({ origin }: { readonly origin: keyof typeof words }) {
  const say = useSay()
  const { title, text, none, noneText } = words[origin]
  const list = useList('/v1/clients', { filters: [], fixed: { origin } })
  const columns: readonly Column<Client>[] = [
    {
      title: say(agents.client),
      width: '36%',
      cell: (it) => <ClientName client={it} />,
    },
    { title: say(agents.redirects), cell: (it) => <Clip mono>{it.redirect_uris?.join(', ') ?? '–'}</Clip> },
    { title: say(agents.firstSeen), width: '15%', cell: (it) => <Moment at={it.created_at} /> },
    { title: say(agents.read), width: '15%', cell: (it) => <Moment at={it.updated_at} /> },
  ]
  return (
    <>
      <p className="muted toolbar">{say(text)}</p>
      <ListTable
        label={say(title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={<Empty icon="agent" title={say(none)} text={say(noneText)} />}
      />
    </>
  )
}
