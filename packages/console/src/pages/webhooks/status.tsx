/** How a webhook fares, in a word. */
import type { Schemas } from '../../api/client.ts'
import { webhooks } from '../../messages/webhooks.ts'
import { Badge } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'

export type Webhook = Schemas['Webhooks']

export function WebhookStatus({ webhook: it }: { readonly webhook: Webhook }) {
  const say = useSay()
  if (it.status === 'disabled') {
    const why = it.disabled_because
    const words = why === 'gone' ? webhooks.gone : why === 'failing' ? webhooks.failing : webhooks.disabled
    return <Badge tone={why === undefined ? 'plain' : 'danger'}>{say(words)}</Badge>
  }
  if (it.failing_since === undefined) return <Badge tone="done">{say(webhooks.enabled)}</Badge>
  return (
    <span className="row">
      <Badge tone="warning">{say(webhooks.failingSince)}</Badge>
      <span>
        {say(webhooks.failingFirst)} <Moment at={it.failing_since} />
      </span>
    </span>
  )
}
