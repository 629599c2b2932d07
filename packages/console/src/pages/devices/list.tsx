/** Devices whose code waits for a person; the list is read again while it is open. */
import { answered, type Schemas } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { SearchFilter } from '../../app/lists/filters.tsx'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { PageLink } from '../../app/link.tsx'
import { devices } from '../../messages/operate.ts'
import { access } from '../../messages/people.ts'
import { Badge, Chips, Clip, Empty, PageHeader } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'

type Device = Schemas['Devices']

const whereOf = (it: Device): string => [it.device ?? it.user_agent, it.address].filter(Boolean).join(' · ')

/** Codes live for minutes. */
const every = 5000

export function Page() {
  const say = useSay()
  const { session } = useConsole()
  const list = useList('/v1/devices', { filters: ['client_id'], refetchInterval: every })
  const columns: readonly Column<Device>[] = [
    {
      title: say(access.client),
      width: '18%',
      cell: (it) => (
        <PageLink to="/clients/$id" params={{ id: it.client_id }}>
          <Clip>{it.client_id}</Clip>
        </PageLink>
      ),
    },
    {
      title: say(access.scope),
      width: '20%',
      cell: (it) => (it.scope === '' ? '–' : <Chips items={it.scope.split(' ')} />),
    },
    {
      title: say(devices.where),
      cell: (it) => (
        <div>
          <Clip>{whereOf(it) || say(devices.unknown)}</Clip>
          <span className="muted small">
            <Moment at={it.asked_at} />
          </span>
        </div>
      ),
    },
    {
      title: say(devices.state),
      width: '19%',
      cell: (it) => <Badge tone={it.typed ? 'info' : 'plain'}>{say(it.typed ? devices.typed : devices.waiting)}</Badge>,
    },
    { title: say(devices.ends), width: '14%', cell: (it) => <Moment at={it.expires_at} /> },
    ...(session.may('admin:devices:write')
      ? [{ title: '', end: true, width: '7.5rem', cell: (it: Device) => <DenyDevice device={it} /> }]
      : []),
  ]
  return (
    <>
      <PageHeader title={say(devices.title)} text={say(devices.text)} />
      <div className="toolbar">
        <SearchFilter
          label={say(access.byClient)}
          value={list.filters['client_id'] ?? ''}
          onChange={(value) => list.setFilter('client_id', value)}
        />
      </div>
      <ListTable
        label={say(devices.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={<Empty icon="device" title={say(devices.none)} text={say(devices.noneText)} />}
      />
    </>
  )
}

function DenyDevice({ device }: { readonly device: Device }) {
  const { id, client_id: client } = device
  const say = useSay()
  const deny = useAct((api) => answered(api.DELETE('/v1/devices/{id}', { params: { path: { id } } })), {
    done: say(devices.denied),
    refresh: ['/v1/devices', '/v1/events'],
  })
  return (
    <ConfirmButton
      size="small"
      action={say(devices.deny)}
      title={say(devices.denyTitle, { client })}
      text={
        <>
          {whereOf(device) || say(devices.unknown)}
          <br />
          {say(devices.denyText)}
        </>
      }
      busy={deny.busy}
      onConfirm={() => deny.run()}
    />
  )
}
