/** The logo: a file that is read here and sent with the rest, or the one that is there. */
import { useState } from 'react'
import { branding } from '../../messages/branding.ts'
import { Button } from '../../ui/button.tsx'
import { Field, type FieldProps, given } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'

interface LogoFieldProps extends FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

export function LogoField({ label, hint, fault, value, onChange }: LogoFieldProps) {
  const say = useSay()
  // Chosen anew, the same file is read again.
  const [round, setRound] = useState(0)
  const [unreadable, setUnreadable] = useState(false)
  const read = (file: File): void => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      setUnreadable(false)
      if (typeof reader.result === 'string') onChange(reader.result)
    })
    reader.addEventListener('error', () => setUnreadable(true))
    reader.readAsDataURL(file)
  }
  return (
    <Field label={label} {...given({ hint, fault: unreadable ? say(branding.unreadable) : fault })}>
      {(control) => (
        <div className="stack-small">
          <input
            key={round}
            className="input"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            {...control}
            onChange={(event) => {
              const [file] = event.target.files ?? []
              if (file !== undefined) read(file)
            }}
          />
          {value === '' ? null : (
            <div className="row">
              <span className="small">{say(branding.logoThere)}</span>
              <Button
                size="small"
                icon="trash"
                onClick={() => {
                  setRound(round + 1)
                  onChange('')
                }}
              >
                {say(branding.removeLogo)}
              </Button>
            </div>
          )}
        </div>
      )}
    </Field>
  )
}
