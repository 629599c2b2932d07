/** Setting up an authenticator app: a QR code, its content as text, and one code to prove that it works. */
import { field } from '../components/field.ts'
import { type FormTarget, button, form } from '../components/form.ts'
import { qrCode } from '../components/qr.ts'
import { type Html, html } from '../html.ts'
import { type AccountPageContext, accountLayout } from './layout.ts'

export interface AuthenticatorData {
  readonly form: FormTarget
  /** The sealed secret, which the form sends back. */
  readonly sealed: string
  /** The content of the QR code. */
  readonly uri: string
  /** The secret in base32, as apps accept it. */
  readonly secret: string
  readonly back: string
  readonly failed: boolean
}

/** The form sends `otp`, and `sealed` as it was given. */
export function authenticatorPage(context: AccountPageContext, data: AuthenticatorData): Html {
  const words = context.language.messages.authenticator
  const error = data.failed ? words.wrong : null
  return accountLayout(context, {
    section: 'methods',
    title: words.title,
    failed: data.failed,
    lead: words.lead,
    content: html`<div class="tile">
        <ol class="steps">
          <li>
            <p>${words.scan}</p>
            ${qrCode(data.uri, html`${words.qr}`)}
            <details>
              <summary>${words.byHand}</summary>
              <p><code class="copyable" id="secret">${data.secret.match(/.{1,4}/g)?.join(' ') ?? ''}</code></p>
            </details>
          </li>
          <li>
            <p>${words.type}</p>
            ${form(data.form, [
              html`<input type="hidden" name="sealed" value="${data.sealed}" />`,
              field({
                name: 'otp',
                label: words.otp,
                type: 'text',
                autocomplete: 'one-time-code',
                numeric: true,
                look: 'code',
                maxLength: 12,
                error,
                focus: data.failed,
              }),
              button({ name: 'confirm', text: words.confirm, look: 'primary' }),
            ])}
          </li>
        </ol>
      </div>
      <p class="onward"><a href="${data.back}">${words.cancel}</a></p>`,
  })
}
