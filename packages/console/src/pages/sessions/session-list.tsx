/** The sessions of everybody or of a person, and the way to end them. */
import { answered, type Schemas } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { access } from '../../messages/people.ts'
import { Badge, Chips, Clip, Empty } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { PersonFilter } from '../people/access-filters.tsx'
import { PersonLink, usePersonName } from '../people/person-link.tsx'

type Session = Schemas['Sessions']

export function SessionList({ subject }: { readonly subject?: string }) {
  const say = useSay()
  const { session } = useConsole()
  const list = useList('/v1/sessions', {
    filters: subject === undefined ? ['subject'] : [],
    fixed: subject === undefined ? {} : { subject },
  })
  const columns: readonly Column<Session>[] = [
    ...(subject === undefined
      ? [
          {
            title: say(access.subject),
            cell: (it: Session) => <PersonLink id={it.subject} />,
          },
        ]
      : []),
    {
      title: say(access.where),
      width: '32%',
      cell: (it) => (
        <div>
          <div title={it.user_agent}>{it.device ?? <Clip>{it.user_agent ?? '–'}</Clip>}</div>
          <span className="row muted small">
            {it.ip}
            {it.id === session.person.sessionId ? <Badge tone="info">{say(access.thisBrowser)}</Badge> : null}
          </span>
        </div>
      ),
    },
    { title: say(access.how), cell: (it) => <Chips items={it.amr} /> },
    { title: say(access.signedIn), cell: (it) => <Moment at={it.created_at} /> },
    ...(session.may('admin:sessions:write')
      ? [{ title: '', end: true, width: '8rem', cell: (it: Session) => <EndSession session={it} /> }]
      : []),
  ]
  return (
    <>
      {subject === undefined ? (
        <div className="toolbar">
          <PersonFilter list={list} />
        </div>
      ) : null}
      <ListTable
        label={say(access.sessions)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={<Empty icon="session" title={say(access.noSessions)} text={say(access.noSessionsText)} />}
      />
    </>
  )
}

function EndSession({ session: { id, subject, device, ip } }: { readonly session: Session }) {
  const say = useSay()
  const { session: own } = useConsole()
  const person = usePersonName(subject) ?? subject
  const where = [device, ip].filter((it) => it !== undefined).join(' · ')
  const end = useAct((api) => answered(api.DELETE('/v1/sessions/{id}', { params: { path: { id } } })), {
    done: say(access.ended),
    refresh: ['/v1/sessions', '/v1/events'],
  })
  return (
    <ConfirmButton
      size="small"
      action={say(access.end)}
      title={say(access.endTitle, { person })}
      text={
        <>
          {where}
          {where === '' ? null : <br />}
          {say(id === own.person.sessionId ? access.endOwnText : access.endText)}
        </>
      }
      busy={end.busy}
      onConfirm={() => end.run()}
    />
  )
}
