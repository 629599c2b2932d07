/** The second step of a sign-in: a code from the app, a passkey, or a recovery code. */
import { field } from './components/field.ts'
import { type FormTarget, button, form } from './components/form.ts'
import { shownName } from './components/name.ts'
import { errorSummary } from './components/notice.ts'
import { wait } from './components/wait.ts'
import { type PasskeyPrompt, passkeyForm } from './components/passkey.ts'
import { formScript, passkeyScript } from './assets/assets.ts'
import { type Html, html, nothing, type Renderable } from './html.ts'
import { type PageContext, layout } from './layout.ts'

export type SecondFactorError =
  /** The same for codes that are wrong, used before, or of another person. */
  { readonly kind: 'rejected' } | { readonly kind: 'throttled'; readonly seconds: number }

export interface SecondFactorData {
  readonly form: FormTarget
  readonly account: { readonly name: string; readonly username: string }
  readonly otp: boolean
  readonly recoveryCodes: number
  /** Only a passkey is strong enough for the app that asks. */
  readonly passkeyOnly: boolean
  readonly passkey: PasskeyPrompt | null
  /** Seconds for which this browser may skip the second factor. */
  readonly rememberFor: number
  /** Whether the box was ticked with a wrong code; left out, not. */
  readonly remember?: boolean
  readonly error: SecondFactorError | null
  /** The field of the rejected code; null for a passkey, and where no code was sent. */
  readonly typed: 'otp' | 'recovery_code' | null
}

/** The form sends `otp`, with `remember` where it is ticked, or `recovery_code`, or `passkey`, or `start-over`. */
export function secondFactorPage(context: PageContext, data: SecondFactorData): Html {
  const words = context.language.messages.secondFactor
  const error = data.error === null ? null : errorText(context, data.error)
  const codes = !data.passkeyOnly
  return layout(context, {
    title: words.title,
    shape: 'card',
    failed: error !== null,
    scripts: data.passkey === null ? [formScript] : [formScript, passkeyScript],
    main: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead(shownName(data.account.username))}</p>
      ${data.typed !== null && data.error?.kind === 'rejected' ? nothing : errorSummary(context, meant(data), error)}
      ${data.passkeyOnly ? html`<p class="fine">${words.passkeyOnly}</p>` : nothing}
      ${codes && data.otp ? otpForm(context, data) : nothing}
      ${
        data.passkey === null
          ? nothing
          : passkeyForm(context.language, {
              ...data.passkey,
              does: 'get',
              button: {
                name: 'use-passkey',
                text: context.language.messages.passkey.use,
                look: codes && data.otp ? 'plain' : 'primary',
                icon: 'passkey',
              },
            })
      }
      ${codes && data.recoveryCodes > 0 ? recoveryForm(context, data) : nothing}
      <div class="centred">
        ${form(data.form, button({ name: 'start-over', text: words.startOver, look: 'link' }))}
      </div>`,
  })
}

/** The field that the error summary links to. */
const meant = ({ typed, otp, passkeyOnly, recoveryCodes }: SecondFactorData): string =>
  typed === 'recovery_code' && !passkeyOnly && recoveryCodes > 0 ? typed : otp && !passkeyOnly ? 'otp' : 'main'

function otpForm(context: PageContext, data: SecondFactorData): Html {
  const words = context.language.messages.secondFactor
  const rejected = data.error?.kind === 'rejected' && data.typed === 'otp' ? words.rejected : null
  return form(data.form, [
    // Before the field, because its last digit submits the form.
    html`<p class="tick">
      <input
        type="checkbox"
        id="remember"
        name="remember"
        value="yes"
        ${data.remember === true ? html`checked` : nothing}
      />
      <label for="remember">${words.remember(context.language.formats.duration(data.rememberFor))}</label>
    </p>`,
    field({
      name: 'otp',
      label: words.otp,
      hint: words.otpHint,
      type: 'text',
      autocomplete: 'one-time-code',
      numeric: true,
      look: 'code',
      focus: data.typed !== 'recovery_code',
      maxLength: 12,
      submitsAfter: 6,
      error: rejected,
    }),
    button({ name: 'sign-in', text: words.submit, look: 'primary' }),
  ])
}

const recoveryForm = (context: PageContext, data: SecondFactorData): Html => {
  const words = context.language.messages.secondFactor
  const rejected = data.error?.kind === 'rejected' && data.typed === 'recovery_code' ? words.rejected : null
  // Opened after a rejected recovery code, so that the field is in view.
  return html`<details class="otherwise" ${rejected === null ? nothing : html`open`}>
    <summary>${words.recover}</summary>
    ${form(data.form, [
      field({
        name: 'recovery_code',
        label: words.recoveryCode,
        hint: words.recoveryHint(data.recoveryCodes, context.language.formats),
        type: 'text',
        autocomplete: 'off',
        look: 'code',
        maxLength: 64,
        error: rejected,
        focus: rejected !== null,
      }),
      button({ name: 'recover', text: words.submit, look: 'plain' }),
    ])}
  </details>`
}

function errorText(context: PageContext, error: SecondFactorError): Renderable {
  const words = context.language.messages.secondFactor
  return error.kind === 'throttled' ? wait(context, error.seconds, words.throttled) : words.rejected
}
