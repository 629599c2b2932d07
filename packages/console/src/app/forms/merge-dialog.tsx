/** Somebody else saved first: shows what both changed, lets one be chosen field by field, and goes on with the result. */
import { useState } from 'react'
import type { Conflict } from '../../api/merge.ts'
import { frame } from '../../messages/frame.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/content.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSay } from '../../ui/preferences.tsx'

interface MergeDialogProps {
  readonly conflicts: readonly Conflict[]
  readonly labelOf: (field: string) => string
  readonly onClose: () => void
  /** The fields in which mine is to hold. */
  readonly onDone: (mine: ReadonlySet<string>) => void
}

export function MergeDialog({ conflicts, labelOf, onClose, onDone }: MergeDialogProps) {
  const say = useSay()
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set())
  const choose = (field: string, isMine: boolean): void =>
    setMine((before) => new Set([...before].filter((it) => it !== field).concat(isMine ? [field] : [])))
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={say(frame.changedMeanwhile)}
      footer={
        <>
          <Button onClick={onClose}>{say(frame.cancel)}</Button>
          <Button kind="primary" onClick={() => onDone(mine)}>
            {say(frame.continue)}
          </Button>
        </>
      }
    >
      <Notice>{say(frame.changedMeanwhileText)}</Notice>
      {conflicts.map(({ field, mine: my, theirs }) => (
        <fieldset className="field" key={field}>
          <legend>{labelOf(field)}</legend>
          <div className="choices">
            {[
              { label: say(frame.theirs), value: theirs, isMine: false },
              { label: say(frame.mine), value: my, isMine: true },
            ].map(({ label, value, isMine }) => (
              <label className="check" key={label}>
                <input
                  type="radio"
                  name={`merge-${field}`}
                  checked={mine.has(field) === isMine}
                  onChange={() => choose(field, isMine)}
                />
                <span>
                  {label}
                  <span className="hint mono" dir="auto">
                    {shown(value)}
                  </span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      ))}
    </Dialog>
  )
}

const shown = (value: unknown): string =>
  value === undefined
    ? '–'
    : typeof value === 'string'
      ? value
      : Array.isArray(value)
        ? value.join(', ')
        : JSON.stringify(value)
