/** One webhook: how it fares, its secret, and what became of its messages. */
import { ItemPage } from '../../app/items/item-page.tsx'
import { useItem } from '../../app/items/use-item.ts'
import { Crumb, usePathParams } from '../../app/link.tsx'
import { webhooks } from '../../messages/webhooks.ts'
import { Card, Chips, Facts, PageHeader } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { WebhookActs } from './acts.tsx'
import { type Webhook, WebhookStatus } from './status.tsx'
import { WebhookMessages } from './webhook-messages.tsx'

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
            actions={<WebhookActs webhook={item.value} />}
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
            <WebhookMessages id={id} />
          </div>
        </>
      )}
    </ItemPage>
  )
}
