/** A labelled field with its hint and its error, tied together for screen readers. */
import { type Html, html, nothing, type Renderable } from '../html.ts'
import { icon } from './icon.ts'

export interface Field {
  /** Both id and name. */
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'password'
  readonly autocomplete: string
  readonly value?: string
  readonly hint?: string
  /** The error, which marks the field and is announced at once by screen readers. */
  readonly error?: Renderable
  /** The text of a button that shows the typed password; hidden without script. */
  readonly show?: string
  readonly focus?: boolean
  readonly look?: 'code'
  /** Digits only: phones show their number pad. */
  readonly numeric?: boolean
  readonly maxLength?: number
  /** So many digits, typed or pasted, submit the form (form.js). */
  readonly submitsAfter?: number
  /** May be left empty. */
  readonly optional?: boolean
}

const isWrong = ({ error }: Field): boolean => error !== undefined && error !== null

export function field(f: Field): Html {
  const failed = isWrong(f)
  const described = [f.hint === undefined ? null : `${f.name}-hint`, failed ? `${f.name}-error` : null].filter(
    (id) => id !== null,
  )
  return html`<div class="field">
    <label for="${f.name}">${f.label}</label>
    ${f.hint === undefined ? nothing : html`<p class="hint" id="${f.name}-hint">${f.hint}</p>`}
    ${f.show === undefined ? input(f, described) : html`<div class="entry">${input(f, described)} ${showButton(f.name, f.show)}</div>`}
    ${failed ? errorLine(f) : nothing}
  </div>`
}

function input(f: Field, described: readonly string[]): Html {
  return html`<input
    id="${f.name}"
    name="${f.name}"
    type="${f.type}"
    class="${f.look}"
    dir="${f.look === 'code' || f.type === 'password' || f.autocomplete === 'email' ? 'ltr' : 'auto'}"
    value="${f.value}"
    autocomplete="${f.autocomplete}"
    autocapitalize="${f.look === 'code' ? 'characters' : 'none'}"
    autocorrect="off"
    spellcheck="false"
    ${f.numeric === true ? html`inputmode="numeric"` : nothing}
    maxlength="${f.maxLength ?? 1024}"
    ${f.optional === true ? nothing : html`required`}
    ${described.length === 0 ? nothing : html`aria-describedby="${described.join(' ')}"`}
    ${isWrong(f) ? html`aria-invalid="true"` : nothing}
    ${f.focus === true ? html`autofocus` : nothing}
    ${f.submitsAfter === undefined ? nothing : html`data-submits-after="${f.submitsAfter}"`}
  />`
}

const showButton = (name: string, text: string): Html =>
  html`<button type="button" class="show" data-shows="${name}" aria-pressed="false" hidden>${text}</button>`

const errorLine = ({ name, error }: Field): Html =>
  html`<p class="field-error" id="${name}-error" role="alert">${icon('alert')}<span>${error}</span></p>`
