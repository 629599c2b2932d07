/** The question before keys are rotated: whether the new ones wait until everybody could fetch them. */
import { useState } from 'react'
import { answered } from '../../api/client.ts'
import { useAct } from '../../app/items/use-act.ts'
import { frame } from '../../messages/frame.ts'
import { keys } from '../../messages/operate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'

export function RotateKeys() {
  const say = useSay()
  const [open, setOpen] = useState(false)
  const [when, setWhen] = useState('later')
  const rotate = useAct((api) => answered(api.POST('/v1/keys/rotate', { body: { now: when === 'now' } })), {
    done: say(keys.rotated),
    refresh: ['/v1/keys', '/v1/events'],
  })
  const close = (): void => setOpen(false)
  return (
    <>
      <Button icon="refresh" kind="primary" onClick={() => setOpen(true)}>
        {say(keys.rotate)}
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={say(keys.rotateTitle)}
        onSubmit={() => void rotate.run().then((done) => (done ? close() : undefined))}
        footer={
          <>
            <Button onClick={close}>{say(frame.cancel)}</Button>
            <Button type="submit" kind="primary" busy={rotate.busy}>
              {say(keys.rotate)}
            </Button>
          </>
        }
      >
        <p className="muted">{say(keys.rotateText)}</p>
        <SelectField
          label={say(keys.rotateWhen)}
          value={when}
          onChange={setWhen}
          options={[
            { value: 'later', label: say(keys.rotateLater) },
            { value: 'now', label: say(keys.rotateNow) },
          ]}
        />
      </Dialog>
    </>
  )
}
