/** The API keys: made, shown once, revoked. */
import { answered, type Schemas } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { SearchFilter } from '../../app/lists/filters.tsx'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { PageLink } from '../../app/link.tsx'
import { apiKeys } from '../../messages/people.ts'
import { Clip, Empty, PageHeader } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { NewKey } from './new-key.tsx'

type ApiKey = Schemas['ApiKeys']

export function Page() {
  const say = useSay()
  const { session } = useConsole()
  const list = useList('/v1/api-keys', { filters: ['client_id', 'resource'] })
  const mayWrite = session.may('admin:api-keys:write')
  const columns: readonly Column<ApiKey>[] = [
    { title: say(apiKeys.name), width: '22%', cell: (it) => <Clip>{it.name}</Clip> },
    {
      title: say(apiKeys.client),
      width: '16%',
      cell: (it) => (
        <PageLink to="/clients/$id" params={{ id: it.client_id }}>
          <Clip>{it.client_id}</Clip>
        </PageLink>
      ),
    },
    { title: say(apiKeys.resource), cell: (it) => <Clip>{it.resource}</Clip> },
    { title: say(apiKeys.used), width: '13%', cell: (it) => <Moment at={it.last_used_at} /> },
    { title: say(apiKeys.expires), width: '13%', cell: (it) => <Moment at={it.expires_at} /> },
    ...(mayWrite ? [{ title: '', end: true, width: '8rem', cell: (it: ApiKey) => <RevokeKey item={it} /> }] : []),
  ]
  return (
    <>
      <PageHeader title={say(apiKeys.title)} text={say(apiKeys.text)} actions={mayWrite ? <NewKey /> : undefined} />
      <div className="toolbar">
        <SearchFilter
          label={say(apiKeys.client)}
          value={list.filters['client_id'] ?? ''}
          onChange={(value) => list.setFilter('client_id', value)}
        />
        <SearchFilter
          label={say(apiKeys.resource)}
          value={list.filters['resource'] ?? ''}
          onChange={(value) => list.setFilter('resource', value)}
        />
      </div>
      <ListTable
        label={say(apiKeys.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={<Empty icon="key" title={say(apiKeys.none)} text={say(apiKeys.noneText)} />}
      />
    </>
  )
}

function RevokeKey({ item: { id, name } }: { readonly item: ApiKey }) {
  const say = useSay()
  const revoke = useAct((api) => answered(api.DELETE('/v1/api-keys/{id}', { params: { path: { id } } })), {
    done: say(apiKeys.revoked),
    refresh: ['/v1/api-keys'],
  })
  return (
    <ConfirmButton
      size="small"
      action={say(apiKeys.revoke)}
      title={say(apiKeys.revokeTitle, { name })}
      text={say(apiKeys.revokeText)}
      busy={revoke.busy}
      onConfirm={() => revoke.run()}
    />
  )
}
