/** The question before a stream is stopped: what becomes of what happens meanwhile, and why. */
import { useState } from 'react'
import type { Versioned } from '../../api/client.ts'
import { frame } from '../../messages/frame.ts'
import { streams } from '../../messages/streams.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Stream } from './status.tsx'
import { useStreamChange } from './use-stream-change.ts'

export function StopStream({ item }: { readonly item: Versioned<Stream> }) {
  const say = useSay()
  const [open, setOpen] = useState(false)
  const [kept, setKept] = useState('paused')
  const [reason, setReason] = useState('')
  const change = useStreamChange(item)
  const stop = async (): Promise<void> => {
    const status = kept === 'paused' ? 'paused' : 'disabled'
    if (await change.run({ status, status_reason: reason.trim() === '' ? null : reason.trim() })) setOpen(false)
  }
  return (
    <>
      <Button icon="pause" onClick={() => setOpen(true)}>
        {say(streams.stop)}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={say(streams.stopTitle)}
        onSubmit={() => void stop()}
        footer={
          <>
            <Button onClick={() => setOpen(false)}>{say(frame.cancel)}</Button>
            <Button kind="primary" type="submit" busy={change.busy}>
              {say(streams.stop)}
            </Button>
          </>
        }
      >
        <p>{say(streams.stopText)}</p>
        <SelectField
          label={say(streams.meanwhile)}
          value={kept}
          onChange={setKept}
          options={[
            { value: 'paused', label: say(streams.isKept) },
            { value: 'disabled', label: say(streams.isLost) },
          ]}
        />
        <TextField
          label={say(streams.reason)}
          hint={say(streams.reasonHint)}
          optional
          maxLength={500}
          value={reason}
          onChange={setReason}
        />
      </Dialog>
    </>
  )
}
