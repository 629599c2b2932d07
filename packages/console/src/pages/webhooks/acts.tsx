/** What is done with a webhook: disabled and enabled, given another secret, deleted. */
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { useGo } from '../../app/link.tsx'
import { webhooks } from '../../messages/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Webhook } from './status.tsx'
import { RotateWebhookSecret } from './rotate-secret.tsx'

export function WebhookActs({ webhook: it }: { readonly webhook: Webhook }) {
  const say = useSay()
  const go = useGo()
  const { session } = useConsole()
  const path = { id: it.id }
  const refresh = ['/v1/webhooks']
  const status = it.status === 'disabled' ? 'enabled' : 'disabled'
  const toggle = useAct(
    // Of no version: each try that fails makes another one, and says nothing about what is wanted here.
    (api) => answered(api.PATCH('/v1/webhooks/{id}', { params: { path }, body: { status } as never })),
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
      <RotateWebhookSecret id={it.id} />
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
