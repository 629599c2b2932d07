/** The invitations that nobody has used yet, each to be taken back. */
import { useQuery } from '@tanstack/react-query'
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { wholeList } from '../../app/lists/whole-list.ts'
import { invitations } from '../../messages/accounts.ts'
import { Chips, Clip, Empty } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { Invite } from './invite.tsx'

/** As the admin API answers; its description leaves it open. */
interface Invitation {
  readonly id: string
  readonly email: string
  readonly roles: readonly string[]
  readonly groups: readonly string[]
  readonly made_at: string
  readonly expires_at: string
}

export function Invitations() {
  const say = useSay()
  const { api, session } = useConsole()
  const result = useQuery({
    queryKey: ['/v1/users', 'invitations'],
    queryFn: async () => {
      const answer = await answered(api.POST('/v1/users/invitations', { body: {} as never }))
      return { items: (answer as { readonly data: readonly Invitation[] }).data, next: null }
    },
  })
  const mayWrite = session.may('admin:users:write')
  const columns: readonly Column<Invitation>[] = [
    { title: say(invitations.email), width: '36%', cell: (it) => <Clip>{it.email}</Clip> },
    {
      title: say(invitations.begins),
      cell: ({ groups, roles }) =>
        groups.length + roles.length === 0 ? '–' : <Chips items={[...new Set([...groups, ...roles])]} />,
    },
    { title: say(invitations.made), width: '15%', cell: (it) => <Moment at={it.made_at} /> },
    { title: say(invitations.ends), width: '13%', cell: (it) => <Moment at={it.expires_at} /> },
    ...(mayWrite
      ? [{ title: '', width: '10rem', end: true, cell: (it: Invitation) => <Revoke invitation={it} /> }]
      : []),
  ]
  return (
    <>
      <div className="toolbar spread">
        <p className="muted">{say(invitations.text)}</p>
        {mayWrite ? <Invite /> : null}
      </div>
      <ListTable
        label={say(invitations.text)}
        list={wholeList(result)}
        columns={columns}
        keyOf={(it) => it.id}
        empty={<Empty icon="mail" title={say(invitations.none)} text={say(invitations.noneText)} />}
      />
    </>
  )
}

function Revoke({ invitation: { id, email } }: { readonly invitation: Invitation }) {
  const say = useSay()
  const revoke = useAct((api) => answered(api.POST('/v1/users/revoke-invitation', { body: { id } })), {
    done: say(invitations.revoked),
    refresh: ['/v1/users'],
  })
  return (
    <ConfirmButton
      size="small"
      action={say(invitations.revoke)}
      title={say(invitations.revokeTitle, { email })}
      text={say(invitations.revokeText)}
      busy={revoke.busy}
      onConfirm={() => revoke.run()}
    />
  )
}
