/** Making an account: asks for an address, and then says the same whoever has it. */
import { formScript } from '../assets/assets.ts'
import { field } from '../components/field.ts'
import { type FormTarget, button, form } from '../components/form.ts'
import { icon } from '../components/icon.ts'
import { errorSummary } from '../components/notice.ts'
import { wait } from '../components/wait.ts'
import { type Html, html, type Renderable } from '../html.ts'
import { type PageContext, layout } from '../layout.ts'

export type SignUpError = 'malformed' | 'domain' | { readonly throttled: number }

export interface SignUpData {
  readonly form: FormTarget
  readonly email: string
  /** Where one came from. */
  readonly signIn: string
  readonly error: SignUpError | null
}

/** The form sends `email`. */
export function signUpPage(context: PageContext, data: SignUpData): Html {
  const { signUp: words, forgot } = context.language.messages
  const error = data.error === null ? null : errorText(context, data.error)
  return layout(context, {
    title: words.title,
    shape: 'card',
    failed: error !== null,
    scripts: [formScript],
    main: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      ${errorSummary(context, 'email', error)}
      ${form(data.form, [
        field({
          name: 'email',
          label: words.email,
          type: 'text',
          autocomplete: 'email',
          value: data.email,
          maxLength: 254,
          error,
          focus: true,
        }),
        button({ name: 'send-link', text: words.submit, look: 'primary' }),
        html`<p class="aside"><a id="back" href="${data.signIn}">${forgot.back}</a></p>`,
      ])}`,
  })
}

function errorText(context: PageContext, error: SignUpError): Renderable {
  const { signUp, forgot, address } = context.language.messages
  if (typeof error === 'object') return wait(context, error.throttled, forgot.throttled)
  return error === 'domain' ? signUp.domain : address.errors.malformed
}

export function signUpSentPage(context: PageContext, data: { readonly signIn: string }): Html {
  const { signUp: words, forgot } = context.language.messages
  return layout(context, {
    title: forgot.sentTitle,
    shape: 'card',
    main: html`<p class="emblem approved">${icon('check')}</p>
      <h1 id="link-sent">${forgot.sentTitle}</h1>
      <p class="lead">${words.sent}</p>
      <p class="centred">${words.sentHint}</p>
      <p class="onward"><a class="button plain" href="${data.signIn}">${forgot.back}</a></p>`,
  })
}
