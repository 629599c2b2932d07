/** A list of texts, one line each: redirect URIs, addresses, names. Lines are added, changed and taken away. */
import { useRef } from 'react'
import { frame } from '../messages/frame.ts'
import { Button, IconButton } from './button.tsx'
import { Fault, type FieldProps, useDescribed } from './field.tsx'
import { useSay } from './preferences.tsx'

interface LinesProps extends FieldProps {
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
  readonly add: string
  readonly placeholder?: string
}

export function LinesField({ label, hint, fault, value, onChange, add, placeholder }: LinesProps) {
  const say = useSay()
  const { control, hintId, faultId } = useDescribed({ hint, fault })
  const list = useRef<HTMLDivElement>(null)
  const lines = value.length === 0 ? [''] : value
  const replace = (at: number, text: string): void => onChange(lines.map((line, i) => (i === at ? text : line)))
  const addLine = (): void => {
    onChange([...lines, ''])
    // After the line is there.
    requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>('.line:last-child input')?.focus())
  }
  return (
    <fieldset className="field" ref={list as never}>
      <legend>{label}</legend>
      <div className="lines">
        {lines.map((line, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a line has no identity but its place
          <div className="line" key={at}>
            <input
              className="input"
              aria-label={`${label} ${at + 1}`}
              aria-describedby={control['aria-describedby']}
              aria-invalid={control['aria-invalid']}
              value={line}
              placeholder={placeholder}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => replace(at, event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                addLine()
              }}
            />
            {lines.length > 1 ? (
              <IconButton
                icon="close"
                kind="quiet"
                label={`${say(frame.delete)}: ${label} ${at + 1}`}
                onClick={() => onChange(lines.filter((_, i) => i !== at))}
              />
            ) : null}
          </div>
        ))}
      </div>
      {hint === undefined ? null : (
        <div className="hint" id={hintId}>
          {hint}
        </div>
      )}
      {fault === undefined ? null : <Fault id={faultId}>{fault}</Fault>}
      <div>
        <Button size="small" icon="plus" onClick={addLine}>
          {add}
        </Button>
      </div>
    </fieldset>
  )
}
