/** One webhook: how it fares, its secret, and what became of its messages. */
import { answered, type Versioned } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { ItemPage } from '../../app/items/item-page.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { useItem } from '../../app/items/use-item.ts'
import { Crumb, useGo, usePathParams } from '../../app/link.tsx'
import { webhooks } from '../../messages/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Chips, Facts, PageHeader } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { MessageLog } from './message-log.tsx'
import type { Webhook } from './list.tsx'
import { RotateSecret } from './rotate-secret.tsx'
import { WebhookStatus } from './status.tsx'

export function Page() {
  const say = useSay()
  const { id = '' } = usePathParams()
  const result = useItem<Webhook>(['/v1/webhooks', id], (api) =>
    api.GET('/v1/webhooks/{id}', { params: { path: { id } } }),
  )
  const above = <Crumb to="/webhooks">{say(webhooks.title)}</Crumb>
  return (
    <ItemPage result={result} above={above}>
      {(item) => (
        <>
          <PageHeader
            above={above}
            title={item.value.description ?? say(webhooks.one)}
            text={item.value.url}
            actions={<WebhookActs item={item} />}
          />
          <div className="stack">
            <Card>
              <Facts
                facts={[
                  [say(webhooks.status), <WebhookStatus key="status" webhook={item.value} />],
                  [say(webhooks.events), <Chips key="events" items={item.value.events} />],
                  ...(item.value.previous_secret_until === undefined
                    ? []
                    : ([
                        [say(webhooks.previousUntil), <Moment key="until" at={item.value.previous_secret_until} />],
                      ] as const)),
                  [say(webhooks.made), <Moment key="made" at={item.value.created_at} />],
                ]}
              />
            </Card>
            <MessageLog id={id} />
          </div>
        </>
      )}
    </ItemPage>
  )
}

function WebhookActs({ item: { value: it, etag } }: { readonly item: Versioned<Webhook> }) {
  const say = useSay()
  const go = useGo()
  const { session } = useConsole()
  const path = { id: it.id }
  const refresh = ['/v1/webhooks']
  const status = it.status === 'disabled' ? 'enabled' : 'disabled'
  const toggle = useAct(
    (api) =>
      answered(
        api.PATCH('/v1/webhooks/{id}', {
          params: { path, header: { 'If-Match': etag } } as never,
          body: { status } as never,
        }),
      ),
    { done: say(webhooks.changed), refresh },
  )
  const remove = useAct(
    async (api) => {
      await answered(api.DELETE('/v1/webhooks/{id}', { params: { path } }))
      go({ to: '/webhooks' })
    },
    { done: say(webhooks.removed), refresh },
  )
  if (!session.may('admin:webhooks:write')) return null
  return (
    <>
      <Button busy={toggle.busy} onClick={() => void toggle.run()}>
        {say(status === 'enabled' ? webhooks.enable : webhooks.disable)}
      </Button>
      <RotateSecret id={it.id} />
      <ConfirmButton
        action={say(webhooks.remove)}
        title={say(webhooks.removeTitle)}
        text={say(webhooks.removeText)}
        busy={remove.busy}
        onConfirm={() => remove.run()}
      />
    </>
  )
}
