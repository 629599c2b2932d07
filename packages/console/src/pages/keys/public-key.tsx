/** The public half of a key, as it is in the key set. */
import type { Schemas } from '../../api/client.ts'
import { frame } from '../../messages/frame.ts'
import { keys } from '../../messages/operate.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSay } from '../../ui/preferences.tsx'

type Key = Schemas['Keys']

export function PublicKey({ shown, onClose }: { readonly shown: Key | null; readonly onClose: () => void }) {
  const say = useSay()
  return (
    <Dialog
      wide
      open={shown !== null}
      onClose={onClose}
      title={say(keys.publicKey)}
      footer={<Button onClick={onClose}>{say(frame.close)}</Button>}
    >
      <Code text={JSON.stringify(shown?.public_jwk ?? {}, null, 2)} label={say(keys.publicKey)} />
    </Dialog>
  )
}
