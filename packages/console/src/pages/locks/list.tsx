/** Who is shut out by a limit of guessing, and letting them in again. */
import { type AdminApi, answered, type Schemas } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { ChoiceFilter } from '../../app/lists/filters.tsx'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { PageLink } from '../../app/link.tsx'
import { locks } from '../../messages/locks.ts'
import { Clip, Empty, PageHeader } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'

type Lock = Schemas['Locks']

const kindWords = {
  user: locks.user,
  client: locks.client,
  address: locks.address,
  tenant: locks.tenant,
} as const satisfies Readonly<Record<Lock['kind'], unknown>>

export function Page() {
  const say = useSay()
  const { session } = useConsole()
  const list = useList('/v1/locks', { filters: ['kind'], refetchInterval: 5000 })
  const columns: readonly Column<Lock>[] = [
    { title: say(locks.kind), width: '18%', cell: (it) => say(kindWords[it.kind]) },
    { title: say(locks.who), cell: (it) => <Who lock={it} /> },
    { title: say(locks.limit), cell: (it) => <Clip mono>{it.limit}</Clip> },
    { title: say(locks.ends), width: '14%', cell: (it) => <Moment at={it.ends_at} /> },
    ...(session.may('admin:locks:write')
      ? [{ title: '', end: true, width: '9rem', cell: (it: Lock) => <Unlock lock={it} /> }]
      : []),
  ]
  return (
    <>
      <PageHeader title={say(locks.title)} text={say(locks.text)} />
      <div className="toolbar">
        <ChoiceFilter
          label={say(locks.kind)}
          value={list.filters['kind'] ?? ''}
          onChange={(value) => list.setFilter('kind', value)}
          options={Object.entries(kindWords).map(([value, words]) => ({ value, label: say(words) }))}
        />
      </div>
      <ListTable
        label={say(locks.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={<Empty icon="lock" title={say(locks.none)} text={say(locks.noneText)} />}
      />
    </>
  )
}

const nameOf = ({ username, subject, client_id: client, address }: Lock): string =>
  username ?? subject ?? client ?? address ?? '–'

function Who({ lock }: { readonly lock: Lock }) {
  const name = <Clip>{nameOf(lock)}</Clip>
  if (lock.subject !== undefined)
    return (
      <PageLink to="/people/$id" params={{ id: lock.subject }}>
        {name}
      </PageLink>
    )
  if (lock.client_id === undefined) return name
  return (
    <div>
      <PageLink to="/clients/$id" params={{ id: lock.client_id }}>
        {name}
      </PageLink>
      {lock.address === undefined ? null : <Clip mono>{lock.address}</Clip>}
    </div>
  )
}

/** One that ended by itself meanwhile is as good as removed. */
async function unlocked(api: AdminApi, id: string): Promise<void> {
  const call = await api.DELETE('/v1/locks/{id}', { params: { path: { id } } })
  if (call.response.status !== 404) await answered(Promise.resolve(call))
}

function Unlock({ lock }: { readonly lock: Lock }) {
  const say = useSay()
  const unlock = useAct((api) => unlocked(api, lock.id), {
    done: say(locks.unlocked),
    refresh: ['/v1/locks'],
  })
  return (
    <ConfirmButton
      size="small"
      action={say(locks.unlock)}
      title={say(locks.unlockTitle, { name: nameOf(lock) })}
      text={say(locks.unlockText)}
      busy={unlock.busy}
      onConfirm={() => unlock.run()}
    />
  )
}
