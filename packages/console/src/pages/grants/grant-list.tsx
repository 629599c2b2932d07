/** The grants of everybody, of a person or of a client, and the way to end them. */
import { answered, type Schemas } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { consoleClient } from '../../app/session/authorization.ts'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { PageLink } from '../../app/link.tsx'
import { access } from '../../messages/people.ts'
import { Chips, Clip, Empty } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { AccessFilters } from '../people/access-filters.tsx'
import { PersonLink, usePersonName } from '../people/person-link.tsx'

type Grant = Schemas['Grants']

/** Whose they are, where the page knows; otherwise the filters ask. */
export interface AccessFilter {
  readonly subject?: string
  readonly client_id?: string
}

const touched = ['/v1/grants', '/v1/consents', '/v1/events']

const everybody: AccessFilter = {}

export function GrantList({ fixed = everybody }: { readonly fixed?: AccessFilter }) {
  const say = useSay()
  const { session } = useConsole()
  const names = (['subject', 'client_id'] as const).filter((name) => fixed[name] === undefined)
  const list = useList('/v1/grants', { filters: names, fixed: { ...fixed } })
  const mayWrite = session.may('admin:grants:write')
  const wanted = { ...fixed, ...list.filters }
  const columns: readonly Column<Grant>[] = [
    ...(fixed.subject === undefined ? [{ title: say(access.subject), width: '13%', cell: personCell }] : []),
    ...(fixed.client_id === undefined ? [{ title: say(access.client), width: '16%', cell: clientCell }] : []),
    { title: say(access.scope), cell: (it: Grant) => <Chips items={it.scope.split(' ')} /> },
    { title: say(access.allowed), width: '8.5rem', cell: (it: Grant) => <Moment at={it.created_at} /> },
    { title: say(access.used), width: '8.5rem', cell: (it: Grant) => <Moment at={it.last_used_at} /> },
    ...(mayWrite ? [{ title: '', end: true, width: '8.5rem', cell: (it: Grant) => <RevokeGrant grant={it} /> }] : []),
  ]
  return (
    <>
      <div className="toolbar">
        <AccessFilters list={list} fixed={fixed} />
        {mayWrite && Object.keys(wanted).length > 0 && (list.result.data?.items.length ?? 0) > 0 ? (
          <RevokeAll of={wanted} />
        ) : null}
      </div>
      <ListTable
        label={say(access.grants)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={<Empty icon="grant" title={say(access.noGrants)} text={say(access.noGrantsText)} />}
      />
    </>
  )
}

const personCell = (it: { readonly subject: string }) => <PersonLink id={it.subject} />

const clientCell = (it: { readonly client_id: string }) => (
  <PageLink to="/clients/$id" params={{ id: it.client_id }}>
    <Clip>{it.client_id}</Clip>
  </PageLink>
)

function RevokeGrant({ grant: { id, subject, client_id: client } }: { readonly grant: Grant }) {
  const say = useSay()
  const { session } = useConsole()
  const person = usePersonName(subject) ?? subject
  const isOwn = client === consoleClient && subject === session.person.subject
  const revoke = useAct((api) => answered(api.DELETE('/v1/grants/{id}', { params: { path: { id } } })), {
    done: say(access.revoked),
    refresh: touched,
  })
  return (
    <ConfirmButton
      size="small"
      action={say(access.revoke)}
      title={say(access.revokeTitle, { person, client })}
      text={say(isOwn ? access.revokeOwnText : access.revokeText)}
      busy={revoke.busy}
      onConfirm={() => revoke.run()}
    />
  )
}

function RevokeAll({ of }: { readonly of: AccessFilter }) {
  const say = useSay()
  const revoke = useAct((api) => answered(api.POST('/v1/grants/revoke', { body: of })), {
    done: say(access.revoked),
    refresh: touched,
  })
  return (
    <ConfirmButton
      action={say(access.revokeAll)}
      title={say(access.revokeAllTitle)}
      text={say(access.revokeText)}
      busy={revoke.busy}
      onConfirm={() => revoke.run()}
    />
  )
}
