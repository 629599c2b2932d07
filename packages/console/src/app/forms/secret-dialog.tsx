/** A dialog that asks, and then shows in its place a secret that is shown this once. */
import type { ReactNode } from 'react'
import { frame } from '../../messages/frame.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/code.tsx'
import { Notice } from '../../ui/content.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSay } from '../../ui/preferences.tsx'

interface SecretDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  /** Null: it is still asked for. */
  readonly secret: string | null
  readonly title: string
  readonly submit: { readonly label: string; readonly busy: boolean; readonly run: () => void }
  /** What the secret is, and that nobody sees it again. */
  readonly made: { readonly title: string; readonly once: string }
  /** Below the secret: how it is used. */
  readonly usage?: ReactNode
  /** The form. */
  readonly children: ReactNode
}

export function SecretDialog({ open, onClose, secret, title, submit, made, usage, children }: SecretDialogProps) {
  const say = useSay()
  if (secret !== null)
    return (
      <Dialog
        open={open}
        held
        onClose={onClose}
        title={made.title}
        footer={
          <Button kind="primary" onClick={onClose}>
            {say(frame.close)}
          </Button>
        }
      >
        <Copyable text={secret} label={made.title} />
        <Notice tone="warning">{made.once}</Notice>
        {usage}
      </Dialog>
    )
  return (
    <Dialog
      open={open}
      held={submit.busy}
      onClose={onClose}
      title={title}
      onSubmit={submit.run}
      footer={
        <>
          <Button disabled={submit.busy} onClick={onClose}>
            {say(frame.cancel)}
          </Button>
          <Button type="submit" kind="primary" busy={submit.busy}>
            {submit.label}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
