/** A hint how hard a new password is to guess, updated while typing; hidden without script (form.js). */
import { type Html, html } from '../html.ts'
import type { PageContext } from '../layout.ts'

export function strengthHint({ language }: Pick<PageContext, 'language'>, field: string): Html {
  const { weak, fair, strong } = language.messages.changePassword.strength
  return html`<p
    class="hint strength"
    role="status"
    data-strength-of="${field}"
    data-weak="${weak}"
    data-fair="${fair}"
    data-strong="${strong}"
    hidden
  ></p>`
}
