/** A remark set apart: what went wrong, what to beware of, what has been done. */
import { type Html, type Renderable, html } from '../html.ts'
import { type IconName, icon } from './icon.ts'

const icons: Readonly<Record<'error' | 'warning' | 'done' | 'info', IconName>> = {
  error: 'alert',
  warning: 'alert',
  done: 'check',
  info: 'info',
}

export const notice = (kind: 'warning' | 'done' | 'info', content: Renderable): Html =>
  html`<div class="notice ${kind}" ${kind === 'done' ? html`role="status"` : ''}>
    ${icon(icons[kind])}
    <p>${content}</p>
  </div>`

/** Above a form that came back: heard at once, and a link leads to the field that is meant. */
export const errorSummary = (
  heading: string,
  errors: readonly { readonly field: string; readonly text: string }[],
): Html =>
  html`<div class="notice error" role="alert" aria-labelledby="error-summary">
    ${icon(icons.error)}
    <div>
      <h2 id="error-summary">${heading}</h2>
      <ul>
        ${errors.map((error) => html`<li><a href="#${error.field}">${error.text}</a></li>`)}
      </ul>
    </div>
  </div>`
