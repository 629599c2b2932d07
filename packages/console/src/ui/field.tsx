/** A field with its label, its hint and what is wrong with it, tied together for everybody who reads them. */
import { type ChangeEvent, type InputHTMLAttributes, type ReactNode, useId } from 'react'
import { frame } from '../messages/frame.ts'
import { Icon } from './icon.tsx'
import { useSay } from './preferences.tsx'

export interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly fault?: string | undefined
  readonly optional?: boolean
}

/** What ties a control to the texts around it. */
export interface ControlProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** Ties a control, and what may stand below it. */
export function useDescribed({ hint, fault }: Pick<FieldProps, 'hint' | 'fault'>) {
  const id = useId()
  const [hintId, faultId] = [`${id}-hint`, `${id}-fault`]
  const described = [hint === undefined ? '' : hintId, fault === undefined ? '' : faultId].join(' ').trim()
  const control: ControlProps = {
    id,
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': fault === undefined ? undefined : true,
  }
  return { control, hintId, faultId }
}

export function Field({
  label,
  hint,
  fault,
  optional = false,
  children,
}: FieldProps & { readonly children: (control: ControlProps) => ReactNode }) {
  const say = useSay()
  const { control, hintId, faultId } = useDescribed({ hint, fault })
  return (
    <div className="field">
      <label htmlFor={control.id}>
        {label} {optional ? <span className="muted small">({say(frame.optional)})</span> : null}
      </label>
      {children(control)}
      {hint === undefined ? null : (
        <div className="hint" id={hintId}>
          {hint}
        </div>
      )}
      {fault === undefined ? null : <Fault id={faultId}>{fault}</Fault>}
    </div>
  )
}

export function Fault({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <div className="fault" id={id} role="alert">
      <Icon name="warning" size={16} />
      <span>{children}</span>
    </div>
  )
}

type Plain = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'id'>

interface Typed<T> {
  readonly value: T
  readonly onChange: (value: T) => void
}

export function TextField({
  label,
  hint,
  fault,
  optional,
  value,
  onChange,
  ...rest
}: FieldProps & Typed<string> & Plain) {
  return (
    <Field label={label} {...given({ hint, fault, optional })}>
      {(control) => (
        <input
          className="input"
          type="text"
          autoComplete="off"
          spellCheck={false}
          {...rest}
          {...control}
          value={value}
          onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** For what is pasted: long, on no line of its own. */
export function TextAreaField({ label, hint, fault, value, onChange }: FieldProps & Typed<string>) {
  return (
    <Field label={label} {...given({ hint, fault })}>
      {(control) => (
        <textarea
          className="input mono"
          rows={4}
          autoComplete="off"
          spellCheck={false}
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

export interface Option {
  readonly value: string
  readonly label: string
}

export function SelectField({
  label,
  hint,
  fault,
  value,
  onChange,
  options,
}: FieldProps & Typed<string> & { readonly options: readonly Option[] }) {
  return (
    <Field label={label} {...given({ hint, fault })}>
      {(control) => (
        <select className="input" {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map((it) => (
            <option key={it.value} value={it.value}>
              {it.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function CheckField({ label, hint, fault, value, onChange }: Omit<FieldProps, 'optional'> & Typed<boolean>) {
  const { control, hintId, faultId } = useDescribed({ hint, fault })
  return (
    <div className="check">
      <input {...control} type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
      <div>
        <label htmlFor={control.id}>{label}</label>
        {hint === undefined ? null : (
          <span className="hint" id={hintId}>
            {hint}
          </span>
        )}
        {fault === undefined ? null : <Fault id={faultId}>{fault}</Fault>}
      </div>
    </div>
  )
}

/** Without the members that are undefined: optional ones may be absent only. */
export const given = <T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
