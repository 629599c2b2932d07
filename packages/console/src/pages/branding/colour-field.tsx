/** A colour, typed or chosen. */
import { branding } from '../../messages/branding.ts'
import { Field, type FieldProps, given } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { colourOf, wholeColour } from './branding-fields.ts'

interface ColourFieldProps extends FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

export function ColourField({ label, hint, fault, value, onChange }: ColourFieldProps) {
  const say = useSay()
  return (
    <Field label={label} {...given({ hint, fault })}>
      {(control) => (
        <div className="colour-field">
          <input
            className="input mono"
            type="text"
            autoComplete="off"
            spellCheck={false}
            placeholder="#rrggbb"
            {...control}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <input
            type="color"
            data-unset={value === '' ? '' : undefined}
            aria-label={say(branding.choose, { name: label })}
            value={wholeColour(colourOf(value) ?? '#0b6b5b')}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      )}
    </Field>
  )
}
