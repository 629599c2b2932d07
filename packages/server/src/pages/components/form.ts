/** Forms that work without script: a POST with the CSRF token to a path of ours. */
import { type Html, type Renderable, html, nothing } from '../html.ts'
import { type IconName, icon } from './icon.ts'

export interface FormTarget {
  readonly action: string
  readonly csrf: string
  /** Hidden fields. */
  readonly hidden?: Readonly<Record<string, string>>
}

/** The name of the hidden field that carries the token. */
export const csrfField = 'csrf'

export const form = (target: FormTarget, content: Renderable): Html =>
  html`<form method="post" action="${target.action}">
    <input type="hidden" name="${csrfField}" value="${target.csrf}" />${hiddenFields(target)}${content}
  </form>`

export const hiddenFields = ({ hidden = {} }: FormTarget): Html =>
  html`${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`

/** `name` is both id and name, so that scripts and test suites can drive it (docs/conventions.md). */
export interface Button {
  readonly name: string
  readonly text: string
  readonly look: 'primary' | 'plain' | 'danger' | 'link'
  readonly value?: string
  /** Needed where a page has several buttons of one name. */
  readonly id?: string
  /** A fuller name for screen readers. */
  readonly label?: string
  readonly icon?: IconName
}

export const button = (b: Button): Html =>
  html`<button
    type="submit"
    class="button ${b.look}"
    id="${b.id ?? b.name}"
    name="${b.name}"
    value="${b.value ?? 'yes'}"
    ${b.label === undefined ? nothing : html`aria-label="${b.label}"`}
  >
    ${b.icon === undefined ? nothing : icon(b.icon)}${b.text}
  </button>`
