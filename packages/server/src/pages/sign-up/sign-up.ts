/** The sign-up page: asks for an address, and then says the same whether it has an account or not. */
import { formCard, outcomeCard, wayOn } from '../components/card.ts'
import { field } from '../components/field.ts'
import { type FormTarget, button } from '../components/form.ts'
import { wait } from '../components/wait.ts'
import { type Html, html, type Renderable } from '../html.ts'
import type { PageContext } from '../layout.ts'

export type SignUpError = 'malformed' | 'domain' | { readonly throttled: number }

export interface SignUpData {
  readonly form: FormTarget
  readonly email: string
  /** The page that the person came from. */
  readonly signIn: string
  readonly error: SignUpError | null
}

/** The form sends `email`. */
export function signUpPage(context: PageContext, data: SignUpData): Html {
  const { signUp: words, forgot } = context.language.messages
  const error = data.error === null ? null : errorText(context, data.error)
  return formCard(context, {
    title: words.title,
    lead: words.lead,
    error: error === null ? null : { field: 'email', text: error, shown: true },
    form: data.form,
    content: [
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
    ],
  })
}

function errorText(context: PageContext, error: SignUpError): Renderable {
  const { signUp, forgot, address } = context.language.messages
  if (typeof error === 'object') return wait(context, error.throttled, forgot.throttled)
  return error === 'domain' ? signUp.domain : address.errors.malformed
}

/** The sign-up hook denied the account; `onward` is a page where the person can go on, such as a challenge. */
export function signUpRefusedPage(
  context: PageContext,
  data: { readonly signIn: string; readonly onward: string | null },
): Html {
  const { signUp: words, forgot } = context.language.messages
  return outcomeCard(context, {
    outcome: 'denied',
    id: 'sign-up-refused',
    title: data.onward === null ? words.refusedTitle : words.stepTitle,
    lead: data.onward === null ? words.refused : words.step,
    content: [
      data.onward === null ? null : wayOn(data.onward, words.stepOnward, 'primary'),
      wayOn(data.signIn, forgot.back),
    ],
  })
}

export function signUpSentPage(context: PageContext, data: { readonly signIn: string }): Html {
  const { signUp: words, forgot } = context.language.messages
  return outcomeCard(context, {
    outcome: 'approved',
    id: 'link-sent',
    title: forgot.sentTitle,
    lead: words.sent,
    content: html`<p class="centred">${words.sentHint}</p>
      ${wayOn(data.signIn, forgot.back)}`,
  })
}
