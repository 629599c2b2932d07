/** Authorization details in words: the sentence of their type with the app's values in it, and other members below. */
import { type Html, html, nothing } from '../html.ts'
import { icon } from './icon.ts'

/** A value from the app, marked as such, so that it never looks like a part of our own sentence. */
export interface ShownValue {
  readonly value: string
}

export interface ShownDetail {
  /** Already in the language of the page. */
  readonly sentence: readonly (string | ShownValue)[]
  readonly others: readonly { readonly label: string; readonly value: string }[]
}

export const detailList = (details: readonly ShownDetail[]): Html =>
  details.length === 0
    ? nothing
    : html`<ul class="scopes details">
        ${details.map(
          (detail) =>
            html`<li class="scope">
              ${icon('check')}
              <div class="scope-text">
                <p>
                  <bdi>${detail.sentence.map((part) => (typeof part === 'string' ? part : foreign(part.value)))}</bdi>
                </p>
                ${others(detail)}
              </div>
            </li>`,
        )}
      </ul>`

/** Isolated, so that right-to-left letters do not affect the text around. */
const foreign = (value: string): Html => html`<strong><bdi>${value}</bdi></strong>`

const others = (detail: ShownDetail): Html =>
  detail.others.length === 0
    ? nothing
    : html`<dl class="fine">
        ${detail.others.map(
          ({ label, value }) =>
            html`<div>
              <dt><bdi>${label}</bdi></dt>
              <dd>${foreign(value)}</dd>
            </div>`,
        )}
      </dl>`
