/** Asks for another sign-in when the session has ended, or when something needs a stronger one. */
import { useState, useSyncExternalStore } from 'react'
import { frame } from '../../messages/frame.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useConsole } from '../console-context.ts'
import { failureText } from '../failure-text.ts'

export function InterruptionDialog() {
  const { session } = useConsole()
  const say = useSay()
  const interruption = useSyncExternalStore(session.subscribe, () => session.interruption)
  const ended = interruption?.kind !== 'stronger'
  const [fault, setFault] = useState<unknown>(null)
  const dismiss = (): void => {
    setFault(null)
    session.dismiss()
  }
  return (
    <Dialog
      open={interruption !== null}
      onClose={dismiss}
      title={say(ended ? frame.sessionEnded : frame.strongerNeeded)}
      footer={
        <>
          <Button onClick={dismiss}>{say(frame.notNow)}</Button>
          <Button kind="primary" onClick={() => void session.signInAgain().catch(setFault)}>
            {say(ended ? frame.signInAgain : frame.continue)}
          </Button>
        </>
      }
    >
      <p className="muted">{say(ended ? frame.sessionEndedText : frame.strongerNeededText)}</p>
      {fault === null ? null : <Fault>{failureText(fault, say)}</Fault>}
    </Dialog>
  )
}
