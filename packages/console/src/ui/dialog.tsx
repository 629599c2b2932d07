/** Dialogs over the page, and the question before what cannot be undone. */
import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as Base } from '@base-ui/react/dialog'
import type { FormEvent, ReactNode } from 'react'
import { frame } from '../messages/frame.ts'
import { Button } from './button.tsx'
import { useSay } from './preferences.tsx'

interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly wide?: boolean
  readonly footer?: ReactNode
  /** Only a button of it closes it: it shows what is not shown again, or waits for that. */
  readonly held?: boolean
  /** Where it is a form: what sending it does. */
  readonly onSubmit?: () => void
  readonly children: ReactNode
}

export function Dialog({ open, onClose, title, wide = false, held = false, footer, onSubmit, children }: DialogProps) {
  const content = (
    <>
      <div className="dialog-body">
        <Base.Title>{title}</Base.Title>
        {children}
      </div>
      {footer === undefined ? null : <div className="dialog-footer">{footer}</div>}
    </>
  )
  return (
    <Base.Root
      open={open}
      // A press beside a form is a slip more often than a farewell to what was typed.
      disablePointerDismissal={held || onSubmit !== undefined}
      onOpenChange={(next) => (next || held ? undefined : onClose())}
    >
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={wide ? 'dialog dialog-wide' : 'dialog'}>
          {onSubmit === undefined ? content : <form onSubmit={sending(onSubmit)}>{content}</form>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** A form that does not leave the page. */
export const sending = (submit: () => void) => (event: FormEvent) => {
  event.preventDefault()
  submit()
}

interface ConfirmProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly onConfirm: () => void
  readonly title: ReactNode
  readonly text: ReactNode
  /** The word on the button: what will be done. */
  readonly action: string
  readonly busy?: boolean
  readonly fault?: ReactNode
}

export function Confirm({ open, onClose, onConfirm, title, text, action, busy = false, fault }: ConfirmProps) {
  const say = useSay()
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <div className="dialog-body">
            <AlertDialog.Title>{title}</AlertDialog.Title>
            <AlertDialog.Description className="muted">{text}</AlertDialog.Description>
            {fault}
          </div>
          <div className="dialog-footer">
            <AlertDialog.Close render={<Button />}>{say(frame.cancel)}</AlertDialog.Close>
            <Button kind="danger" className="button-primary" busy={busy} onClick={onConfirm}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
