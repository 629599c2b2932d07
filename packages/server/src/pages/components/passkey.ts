/** A form that the browser's authenticator fills in (passkey.js); hidden without script, with an explanation. */
import type { JsonObject } from '@grantor/protocol/types'
import { type Html, type Renderable, html, nothing } from '../html.ts'
import type { Language } from '../language/index.ts'
import { type Button, button, csrfField, type FormTarget, hiddenFields } from './form.ts'

/** The name of the field with the authenticator's answer. */
export const passkeyField = 'passkey'

export interface PasskeyPrompt {
  readonly form: FormTarget
  /** PublicKeyCredentialRequestOptionsJSON or PublicKeyCredentialCreationOptionsJSON. */
  readonly options: JsonObject
}

interface PasskeyForm extends PasskeyPrompt {
  readonly does: 'get' | 'create'
  /** Whether passkeys are also offered in the username's autofill. */
  readonly autofill?: boolean
  readonly button: Button
  readonly content?: Renderable
}

export function passkeyForm({ messages }: Language, it: PasskeyForm): Html {
  const words = messages.passkey
  return html`<form
      method="post"
      action="${it.form.action}"
      data-passkey="${it.does}"
      data-options="${JSON.stringify(it.options)}"
      ${it.autofill === true ? html`data-autofill` : nothing}
      hidden
    >
      <input type="hidden" name="${csrfField}" value="${it.form.csrf}" />${hiddenFields(it.form)}
      <input type="hidden" name="${passkeyField}" value="" />${it.content}${button(it.button)}
      <p class="field-error" role="status" data-passkey-failed hidden>${words.failed}</p>
    </form>
    <p class="fine" data-passkey-unsupported hidden>${words.unsupported}</p>
    <noscript><p class="fine">${words.noScript}</p></noscript>`
}
