/** Another secret for a webhook, shown once; the old one signs beside it for a while. */
import { useState } from 'react'
import { answered } from '../../api/client.ts'
import { SecretDialog } from '../../app/forms/secret-dialog.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { webhooks } from '../../messages/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'

export function RotateSecret({ id }: { readonly id: string }) {
  const say = useSay()
  const [open, setOpen] = useState(false)
  const [overlap, setOverlap] = useState('86400')
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = useAct(
    async (api) => {
      const body = { overlap: Number(overlap) }
      const made = await answered(api.POST('/v1/webhooks/{id}/rotate-secret', { params: { path: { id } }, body }))
      setSecret((made as { readonly secret: string }).secret)
    },
    { done: say(webhooks.rotated), refresh: ['/v1/webhooks'] },
  )
  const close = (): void => {
    setOpen(false)
    setSecret(null)
  }
  return (
    <>
      <Button icon="refresh" onClick={() => setOpen(true)}>
        {say(webhooks.rotate)}
      </Button>
      <SecretDialog
        open={open}
        onClose={close}
        secret={secret}
        title={say(webhooks.rotate)}
        submit={{ label: say(webhooks.rotate), busy: rotate.busy, run: () => void rotate.run() }}
        made={{ title: say(webhooks.secret), once: say(webhooks.secretOnce) }}
      >
        <SelectField
          label={say(webhooks.rotateText)}
          value={overlap}
          onChange={setOverlap}
          options={[
            { value: '0', label: say(webhooks.overlapNone) },
            { value: '3600', label: say(webhooks.overlapHour) },
            { value: '86400', label: say(webhooks.overlapDay) },
            { value: '604800', label: say(webhooks.overlapWeek) },
          ]}
        />
      </SecretDialog>
    </>
  )
}
