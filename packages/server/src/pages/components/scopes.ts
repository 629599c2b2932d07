/** Scopes in plain words; optional ones have a box that the person can untick. */
import { type Html, html, nothing } from '../html.ts'
import type { Language } from '../language/index.ts'
import { icon } from './icon.ts'

export interface ShownScope {
  readonly name: string
  /** In plain words, already in the language of the page (see language/scope-words.ts). */
  readonly text: string
  readonly sensitive: boolean
  readonly optional: boolean
  readonly isNew: boolean
}

/** One field per optional scope, since a form of ours has no field twice; sent when it stays ticked. */
export const scopeField = (scope: string): string => `scope:${scope}`

export const scopeList = (language: Language, scopes: readonly ShownScope[]): Html =>
  html`<ul class="scopes">
    ${weightiestFirst(scopes).map((scope) => (scope.optional ? optionalScope(language, scope) : requiredScope(language, scope)))}
  </ul>`

/** Sensitive scopes come first; otherwise the order is kept. */
const weightiestFirst = (scopes: readonly ShownScope[]): readonly ShownScope[] =>
  scopes.toSorted((a, b) => Number(b.sensitive) - Number(a.sensitive))

/** Isolated, because an operator may have written the text in a language of the other direction. */
const words = ({ text }: ShownScope): Html => html`<bdi>${text}</bdi>`

const look = ({ sensitive }: ShownScope): string => (sensitive ? 'scope sensitive' : 'scope')

const requiredScope = (language: Language, scope: ShownScope): Html =>
  html`<li class="${look(scope)}">
    ${icon(scope.sensitive ? 'alert' : 'check')}<span class="scope-text"
      >${words(scope)}${badges(language, scope)}</span
    >
  </li>`

const optionalScope = (language: Language, scope: ShownScope): Html =>
  html`<li class="${look(scope)}">
    <input type="checkbox" id="${scopeField(scope.name)}" name="${scopeField(scope.name)}" value="yes" checked />
    <label class="scope-text" for="${scopeField(scope.name)}">${words(scope)}${badges(language, scope)}</label>
  </li>`

function badges(language: Language, scope: ShownScope): Html {
  const words = language.messages.consent
  const shown = [
    scope.isNew ? html` <span class="badge new">${words.isNew}</span>` : nothing,
    scope.sensitive ? html` <span class="badge sensitive">${words.sensitive}</span>` : nothing,
    scope.optional ? html` <span class="badge">${words.optional}</span>` : nothing,
  ]
  return html`${shown}`
}
