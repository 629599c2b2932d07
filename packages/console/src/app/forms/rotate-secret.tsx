/** Another secret in the place of one, shown once; the old one goes on for as long as is chosen. */
import { useState } from 'react'
import type { AdminApi } from '../../api/client.ts'
import { frame } from '../../messages/frame.ts'
import type { Words } from '../../messages/words.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useAct } from '../items/use-act.ts'
import { SecretDialog } from './secret-dialog.tsx'

interface RotateSecretProps {
  /** The list of what has the secret. */
  readonly list: string
  readonly words: {
    readonly rotate: Words
    /** For how long the old one goes on. */
    readonly overlap: Words
    readonly rotated: Words
    readonly secret: Words
    readonly once: Words
  }
  readonly size?: 'small'
  /** Resolves to the new secret; the old one goes on for so many seconds. */
  readonly rotate: (api: AdminApi, overlap: number) => Promise<string>
}

export function RotateSecret({ list, words, size, rotate }: RotateSecretProps) {
  const say = useSay()
  const [open, setOpen] = useState(false)
  const [overlap, setOverlap] = useState('86400')
  const [secret, setSecret] = useState<string | null>(null)
  const act = useAct(async (api) => setSecret(await rotate(api, Number(overlap))), {
    done: say(words.rotated),
    refresh: [list],
  })
  const close = (): void => {
    setOpen(false)
    setSecret(null)
  }
  return (
    <>
      <Button icon="refresh" {...(size === undefined ? {} : { size })} onClick={() => setOpen(true)}>
        {say(words.rotate)}
      </Button>
      <SecretDialog
        open={open}
        onClose={close}
        secret={secret}
        title={say(words.rotate)}
        submit={{ label: say(words.rotate), busy: act.busy, run: () => void act.run() }}
        made={{ title: say(words.secret), once: say(words.once) }}
      >
        <SelectField
          label={say(words.overlap)}
          value={overlap}
          onChange={setOverlap}
          options={[
            { value: '0', label: say(frame.overlapNone) },
            { value: '3600', label: say(frame.overlapHour) },
            { value: '86400', label: say(frame.overlapDay) },
            { value: '604800', label: say(frame.overlapWeek) },
          ]}
        />
      </SecretDialog>
    </>
  )
}
