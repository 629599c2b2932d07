/** An event as it stands in the log. */
import type { Schemas } from '../../api/client.ts'
import { frame } from '../../messages/frame.ts'
import { audit } from '../../messages/people.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSay } from '../../ui/preferences.tsx'

interface EventDialogProps {
  readonly event: Schemas['Events'] | null
  readonly onClose: () => void
}

export function EventDialog({ event, onClose }: EventDialogProps) {
  const say = useSay()
  return (
    <Dialog
      wide
      open={event !== null}
      onClose={onClose}
      title={event?.name ?? ''}
      footer={<Button onClick={onClose}>{say(frame.close)}</Button>}
    >
      <Code text={JSON.stringify(event, null, 2)} label={say(audit.json)} />
    </Dialog>
  )
}
