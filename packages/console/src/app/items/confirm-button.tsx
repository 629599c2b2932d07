/** A button for what cannot be undone: it says what will happen and asks once more. */
import { type ReactNode, useState } from 'react'
import { Button, type ButtonLook } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'

interface ConfirmButtonProps extends ButtonLook {
  readonly action: string
  readonly title: ReactNode
  readonly text: ReactNode
  readonly busy: boolean
  /** True where it was done: then the question goes. */
  readonly onConfirm: () => Promise<boolean>
}

export function ConfirmButton({ action, title, text, busy, onConfirm, ...look }: ConfirmButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button kind="danger" {...look} onClick={() => setOpen(true)}>
        {action}
      </Button>
      <Confirm
        open={open}
        onClose={() => setOpen(false)}
        title={title}
        text={text}
        action={action}
        busy={busy}
        onConfirm={() => void onConfirm().then(() => setOpen(false))}
      />
    </>
  )
}
