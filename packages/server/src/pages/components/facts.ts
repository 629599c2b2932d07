/** Terms and what they are, in two columns where there is room. */
import { type Html, type Renderable, html } from '../html.ts'

export type Fact = readonly [term: string, value: Renderable]

export const facts = (list: readonly (Fact | null)[]): Html =>
  html`<dl class="facts">
    ${list.map((fact) =>
      fact === null
        ? null
        : html`<div>
            <dt>${fact[0]}</dt>
            <dd>${fact[1]}</dd>
          </div>`,
    )}
  </dl>`
