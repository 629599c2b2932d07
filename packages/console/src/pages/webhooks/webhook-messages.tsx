/** The messages of a webhook, and one to try it out. */
import { answered } from '../../api/client.ts'
import { useAct } from '../../app/items/use-act.ts'
import { webhooks } from '../../messages/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { MessageLog, type MessageSource } from './message-log.tsx'

const source: MessageSource = {
  list: '/v1/webhooks',
  read: (api, id, body) => answered(api.POST('/v1/webhooks/{id}/deliveries', { params: { path: { id } }, body })),
  replay: (api, id, body) => answered(api.POST('/v1/webhooks/{id}/replay', { params: { path: { id } }, body })),
}

export function WebhookMessages({ id }: { readonly id: string }) {
  const say = useSay()
  const test = useAct(
    (api) => answered(api.POST('/v1/webhooks/{id}/test', { params: { path: { id } }, body: {} as never })),
    { done: say(webhooks.tested), refresh: ['/v1/webhooks'] },
  )
  const button = (
    <Button size="small" icon="play" busy={test.busy} onClick={() => void test.run()}>
      {say(webhooks.test)}
    </Button>
  )
  return <MessageLog id={id} source={source} actions={button} />
}
