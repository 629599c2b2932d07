/** Making what is shown once, an API key or a registration token: a form in a dialog, and then the secret in its place. */
import { type ReactNode, useState } from 'react'
import { frame } from '../../messages/frame.ts'
import type { Words } from '../../messages/words.ts'
import { Button } from '../../ui/button.tsx'
import { Fault, given } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { useForm } from './use-form.ts'

type Values = Readonly<Record<string, string>>

interface FieldValue {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly fault?: string
}

interface ShownOnceProps<T extends Values> {
  /** Of the form: what was typed is found again by it. */
  readonly name: string
  readonly initial: T
  readonly words: { readonly create: Words; readonly made: Words; readonly once: Words }
  /** Resolves to the secret. */
  readonly send: (values: T) => Promise<string>
  readonly fields: (field: (name: keyof T & string) => FieldValue) => ReactNode
  /** Below the secret: how it is used. */
  readonly usage?: (secret: string) => ReactNode
}

export function ShownOnce<T extends Values>({ name, initial, words, send, fields, usage }: ShownOnceProps<T>) {
  const say = useSay()
  const form = useForm({ name, initial, fields: Object.keys(initial) })
  const [open, setOpen] = useState(form.restored)
  const [secret, setSecret] = useState<string | null>(null)
  const close = (): void => {
    setOpen(false)
    setSecret(null)
    form.reset({ base: initial })
  }
  const submit = (): void => void form.submit(async (values) => setSecret(await send(values)))
  const field = (of: keyof T & string): FieldValue => ({
    value: form.values[of] ?? '',
    onChange: (value) => form.set({ [of]: value } as unknown as Partial<T>),
    ...given({ fault: form.faultOf(of) }),
  })
  return (
    <>
      <Button kind="primary" icon="plus" onClick={() => setOpen(true)}>
        {say(words.create)}
      </Button>
      <SecretDialog
        open={open}
        onClose={close}
        secret={secret}
        title={say(words.create)}
        submit={{ label: say(frame.create), busy: form.busy, run: submit }}
        made={{ title: say(words.made), once: say(words.once) }}
        usage={secret === null ? null : usage?.(secret)}
      >
        {fields(field)}
        {form.fault === undefined ? null : <Fault>{form.fault}</Fault>}
      </SecretDialog>
    </>
  )
}

const day = 86_400_000

/** The end of a life of so many days from now. What is no number is sent as it is, and refused at its field. */
export function endInDays(days: string): string {
  const at = new Date(Date.now() + Number(days) * day)
  return Number.isNaN(at.getTime()) ? days : at.toISOString()
}
