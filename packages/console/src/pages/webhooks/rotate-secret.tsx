/** Another secret for a webhook; the old one signs beside it for a while. */
import { answered } from '../../api/client.ts'
import { RotateSecret } from '../../app/forms/rotate-secret.tsx'
import { webhooks } from '../../messages/webhooks.ts'

const words = {
  rotate: webhooks.rotate,
  overlap: webhooks.rotateText,
  rotated: webhooks.rotated,
  secret: webhooks.secret,
  once: webhooks.secretOnce,
}

export function RotateWebhookSecret({ id }: { readonly id: string }) {
  return (
    <RotateSecret
      list="/v1/webhooks"
      words={words}
      rotate={async (api, overlap) => {
        const params = { path: { id } }
        const made = await answered(api.POST('/v1/webhooks/{id}/rotate-secret', { params, body: { overlap } }))
        return (made as { readonly secret: string }).secret
      }}
    />
  )
}
