/** A notice: an error, a warning, or a confirmation. */
import { type Html, type Renderable, html, nothing } from '../html.ts'
import type { PageContext } from '../layout.ts'
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

/** Above a form whose error no field displays: announced at once by screen readers, with a link to the field. */
export const errorSummary = ({ language }: PageContext, field: string, error: Renderable): Html =>
  error === null || error === undefined
    ? nothing
    : html`<div class="notice error" role="alert" aria-labelledby="error-summary">
        ${icon(icons.error)}
        <div>
          <h2 id="error-summary">${language.messages.layout.errorSummary}</h2>
          <ul>
            <li><a href="#${field}">${error}</a></li>
          </ul>
        </div>
      </div>`
