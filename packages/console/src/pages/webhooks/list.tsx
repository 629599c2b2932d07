/** The webhooks: who is told of which events, and how they fare. */
import { useConsole } from '../../app/console-context.ts'
import { PageLink } from '../../app/link.tsx'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { webhooks } from '../../messages/webhooks.ts'
import { Chips, Clip, Empty, PageHeader } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { NewWebhook } from './new-webhook.tsx'
import { type Webhook, WebhookStatus } from './status.tsx'

export function Page() {
  const say = useSay()
  const { session } = useConsole()
  const list = useList('/v1/webhooks', { filters: [] })
  const mayWrite = session.may('admin:webhooks:write')
  const columns: readonly Column<Webhook>[] = [
    {
      title: say(webhooks.url),
      width: '36%',
      cell: (it) => (
        <PageLink to="/webhooks/$id" params={{ id: it.id }}>
          <Clip>{it.url}</Clip>
        </PageLink>
      ),
    },
    { title: say(webhooks.events), cell: (it) => <Chips items={it.events} /> },
    { title: say(webhooks.status), width: '13rem', cell: (it) => <WebhookStatus webhook={it} /> },
    { title: say(webhooks.made), width: '9rem', cell: (it) => <Moment at={it.created_at} /> },
  ]
  return (
    <>
      <PageHeader
        title={say(webhooks.title)}
        text={say(webhooks.text)}
        actions={mayWrite ? <NewWebhook /> : undefined}
      />
      <ListTable
        label={say(webhooks.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={
          <Empty icon="webhook" title={say(webhooks.none)} {...(mayWrite ? { text: say(webhooks.noneText) } : {})} />
        }
      />
    </>
  )
}
