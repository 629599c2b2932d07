/** Asks for another sign-in when the session has ended, or when something needs a stronger one. */
import { useSyncExternalStore } from 'react'
import { frame } from '../../messages/frame.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useConsole } from '../console-context.ts'

export function InterruptionDialog() {
  const { session } = useConsole()
  const say = useSay()
  const interruption = useSyncExternalStore(session.subscribe, () => session.interruption)
  const ended = interruption?.kind !== 'stronger'
  return (
    <Dialog
      open={interruption !== null}
      onClose={session.dismiss}
      title={say(ended ? frame.sessionEnded : frame.strongerNeeded)}
      footer={
        <>
          <Button onClick={session.dismiss}>{say(frame.notNow)}</Button>
          <Button kind="primary" onClick={() => void session.signInAgain()}>
            {say(ended ? frame.signInAgain : frame.continue)}
          </Button>
        </>
      }
    >
      <p className="muted">{say(ended ? frame.sessionEndedText : frame.strongerNeededText)}</p>
    </Dialog>
  )
}
