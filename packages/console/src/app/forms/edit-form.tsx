/** The card around the fields of an edit: saving, discarding, what is wrong, and the merge where somebody was faster. */
import type { ReactNode } from 'react'
import { frame } from '../../messages/frame.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card } from '../../ui/content.tsx'
import { sending } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { RestoredNotice } from './form-footer.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import type { Edit } from './use-edit.ts'

interface EditFormProps<E extends object> {
  readonly edit: Edit<E>
  readonly labels: Readonly<Record<string, string>>
  readonly title: string
  readonly text?: string
  readonly readOnly?: boolean
  readonly children: ReactNode
}

export function EditForm<E extends object>({
  edit,
  labels,
  title,
  text,
  readOnly = false,
  children,
}: EditFormProps<E>) {
  const say = useSay()
  const { form } = edit
  const footer = (
    <div className="form-footer">
      <Button type="submit" kind="primary" busy={form.busy} disabled={!form.changed}>
        {say(frame.save)}
      </Button>
      {form.changed ? (
        <>
          <Button kind="quiet" onClick={edit.discard}>
            {say(frame.discard)}
          </Button>
          <Badge tone="warning">{say(frame.unsaved)}</Badge>
        </>
      ) : null}
      {form.fault === undefined ? null : <Fault>{form.fault}</Fault>}
    </div>
  )
  return (
    <form onSubmit={sending(() => (form.changed ? void edit.save() : undefined))} noValidate>
      <Card title={title} {...(text === undefined ? {} : { text })} footer={readOnly ? undefined : footer}>
        <fieldset className="stack" disabled={readOnly} aria-label={title}>
          <RestoredNotice form={form} />
          {children}
        </fieldset>
      </Card>
      {edit.conflicts.length === 0 ? null : (
        <MergeDialog
          conflicts={edit.conflicts}
          labelOf={(field) => labelOf(labels, field)}
          onClose={edit.leave}
          onDone={edit.settle}
        />
      )}
    </form>
  )
}

/** A member of a field has no label of its own: `What people read: de`. */
function labelOf(labels: Readonly<Record<string, string>>, field: string): string {
  const [whole = '', ...member] = field.split('.')
  return [labels[whole] ?? whole, ...member].join(': ')
}
