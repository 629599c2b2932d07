/** Mails that wait, why they do, and a mail to see whether any arrives. */
import { answered, type Schemas } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { mail } from '../../messages/mail.ts'
import type { Words } from '../../messages/words.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Clip, Empty, PageHeader } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { PersonLink } from '../people/person-link.tsx'
import { TestMail } from './test-mail.tsx'

type Mail = Schemas['Mails']

/** The queue moves by itself. */
const refetchInterval = 5000

const kindWords: Readonly<Record<string, Words>> = {
  reset_asked: mail.kindReset,
  reset: mail.kindReset,
  address: mail.kindAddress,
  app_connected: mail.kindAppConnected,
  access_requested: mail.kindAccessRequested,
  signed_in: mail.kindSignedIn,
  password_changed: mail.kindPasswordChanged,
  address_changed: mail.kindAddressChanged,
  factor_added: mail.kindFactorAdded,
  factor_removed: mail.kindFactorRemoved,
  recovery_code_used: mail.kindRecoveryCodeUsed,
  test: mail.kindTest,
}

export function Page() {
  const say = useSay()
  const { session } = useConsole()
  const list = useList('/v1/mails', { filters: [], refetchInterval })
  const mayWrite = session.may('admin:mails:write')
  const columns: readonly Column<Mail>[] = [
    { title: say(mail.kind), width: '16%', cell: (it) => <Clip>{say(kindWords[it.kind] ?? [it.kind, it.kind])}</Clip> },
    {
      title: say(mail.to),
      cell: (it) =>
        it.to !== undefined ? <Clip>{it.to}</Clip> : it.subject === undefined ? '–' : <PersonLink id={it.subject} />,
    },
    { title: say(mail.state), width: '14%', cell: (it) => <MailState mail={it} /> },
    { title: say(mail.error), cell: (it) => <Clip>{it.last_error ?? '–'}</Clip> },
    { title: say(mail.next), width: '11%', cell: (it) => <Moment ahead at={it.next_try_at} /> },
    { title: say(mail.ends), width: '11%', cell: (it) => <Moment at={it.expires_at} /> },
    ...(mayWrite ? [{ title: '', end: true, width: '14rem', cell: (it: Mail) => <MailActs mail={it} /> }] : []),
  ]
  return (
    <>
      <PageHeader title={say(mail.title)} text={say(mail.text)} />
      <div className="stack">
        <ListTable
          label={say(mail.title)}
          list={list}
          columns={columns}
          keyOf={(it) => it.id}
          empty={<Empty icon="mail" title={say(mail.none)} {...(mayWrite ? { text: say(mail.noneText) } : {})} />}
        />
        {mayWrite ? <TestMail /> : null}
      </div>
    </>
  )
}

function MailState({ mail: { state, attempts, last_error: error } }: { readonly mail: Mail }) {
  const say = useSay()
  if (state === 'sending') return <Badge tone="info">{say(mail.sending)}</Badge>
  if (error === undefined) return <Badge>{say(mail.waiting)}</Badge>
  return <Badge tone="warning">{attempts === 1 ? say(mail.failedOnce) : say(mail.failedTimes, { n: attempts })}</Badge>
}

function MailActs({ mail: { id } }: { readonly mail: Mail }) {
  const say = useSay()
  const params = { path: { id } }
  const refresh = ['/v1/mails']
  const retry = useAct((api) => answered(api.POST('/v1/mails/{id}/retry', { params, body: {} as never })), {
    done: say(mail.retried),
    refresh,
  })
  const drop = useAct((api) => answered(api.DELETE('/v1/mails/{id}', { params })), { done: say(mail.dropped), refresh })
  return (
    <span className="row row-end">
      <Button size="small" busy={retry.busy} onClick={() => void retry.run()}>
        {say(mail.retry)}
      </Button>
      <ConfirmButton
        size="small"
        action={say(mail.drop)}
        title={say(mail.dropTitle)}
        text={say(mail.dropText)}
        busy={drop.busy}
        onConfirm={() => drop.run()}
      />
    </span>
  )
}
