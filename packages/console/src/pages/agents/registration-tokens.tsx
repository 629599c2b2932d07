/** Initial access tokens (RFC 7591 §3): listed without what opens, revoked. */
import { answered, type Schemas } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { agents } from '../../messages/agents.ts'
import { Clip, Empty } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { NewRegistrationToken } from './new-registration-token.tsx'

type RegistrationToken = Schemas['RegistrationTokens']

export function RegistrationTokens() {
  const say = useSay()
  const { session } = useConsole()
  const list = useList('/v1/registration-tokens', { filters: [] })
  const mayWrite = session.may('admin:registration-tokens:write')
  const columns: readonly Column<RegistrationToken>[] = [
    { title: say(agents.tokenId), width: '30%', cell: (it) => <Clip mono>{it.id}</Clip> },
    { title: say(agents.uses), cell: (it) => it.uses_left ?? say(agents.anyNumber) },
    { title: say(agents.made), cell: (it) => <Moment at={it.created_at} /> },
    { title: say(agents.ends), cell: (it) => <Moment at={it.expires_at} /> },
    ...(mayWrite
      ? [{ title: '', end: true, width: '8rem', cell: (it: RegistrationToken) => <Revoke id={it.id} /> }]
      : []),
  ]
  return (
    <>
      <div className="toolbar spread">
        <p className="muted">{say(agents.tokensText)}</p>
        {mayWrite ? <NewRegistrationToken /> : null}
      </div>
      <ListTable
        label={say(agents.tabTokens)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={<Empty icon="key" title={say(agents.noTokens)} text={say(agents.noTokensText)} />}
      />
    </>
  )
}

function Revoke({ id }: { readonly id: string }) {
  const say = useSay()
  const revoke = useAct((api) => answered(api.DELETE('/v1/registration-tokens/{id}', { params: { path: { id } } })), {
    done: say(agents.revoked),
    refresh: ['/v1/registration-tokens'],
  })
  return (
    <ConfirmButton
      size="small"
      action={say(agents.revoke)}
      title={say(agents.revokeTitle)}
      text={say(agents.revokeText)}
      busy={revoke.busy}
      onConfirm={() => revoke.run()}
    />
  )
}
