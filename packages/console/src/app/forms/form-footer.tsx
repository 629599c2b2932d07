/** What stands below and above the fields of a form: the button, what is wrong in general, and that typed text is back. */
import { frame } from '../../messages/frame.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/content.tsx'
import { Fault } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Form } from './use-form.ts'

interface FormFooterProps {
  readonly form: Pick<Form<object>, 'busy' | 'fault'>
  readonly action: string
}

export function FormFooter({ form, action }: FormFooterProps) {
  return (
    <div className="form-footer">
      <Button type="submit" kind="primary" busy={form.busy}>
        {action}
      </Button>
      {form.fault === undefined ? null : <Fault>{form.fault}</Fault>}
    </div>
  )
}

export function RestoredNotice({ form }: { readonly form: Pick<Form<object>, 'restored' | 'lacksSecrets'> }) {
  const say = useSay()
  if (!form.restored) return null
  return form.lacksSecrets ? (
    <Notice tone="warning">{say(frame.restoredWithoutSecrets)}</Notice>
  ) : (
    <Notice tone="done">{say(frame.restored)}</Notice>
  )
}
