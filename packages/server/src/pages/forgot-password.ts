/** The page for a forgotten password: asks for the account, and then says the same whether it exists or not. */
import { formCard, outcomeCard, wayOn } from './components/card.ts'
import { field } from './components/field.ts'
import { type FormTarget, button } from './components/form.ts'
import { wait } from './components/wait.ts'
import { type Html, html } from './html.ts'
import type { PageContext } from './layout.ts'

export interface ForgotPasswordData {
  readonly form: FormTarget
  readonly username: string
  /** The page that the person came from. */
  readonly signIn: string
  /** Seconds to wait after too many requests from this address; reveals nothing about the account. */
  readonly throttled: number | null
}

export const forgotPasswordPage = (context: PageContext, data: ForgotPasswordData): Html =>
  nameForLinkPage(context, data, context.language.messages.forgot)

/** Asks for the account that a link is for. The form sends `username`: a name or an address. */
export function nameForLinkPage(
  context: PageContext,
  data: ForgotPasswordData,
  { title, lead }: { readonly title: string; readonly lead: string },
): Html {
  const words = context.language.messages.forgot
  const error = data.throttled === null ? null : wait(context, data.throttled, words.throttled)
  return formCard(context, {
    title,
    lead,
    error: error === null ? null : { field: 'username', text: error, shown: true },
    form: data.form,
    content: [
      field({
        name: 'username',
        label: words.named,
        type: 'text',
        autocomplete: 'username',
        value: data.username,
        error,
        focus: true,
      }),
      button({ name: 'send-link', text: words.submit, look: 'primary' }),
      html`<p class="aside"><a id="back" href="${data.signIn}">${words.back}</a></p>`,
    ],
  })
}

/** `sent`: the text about the link; left out, that about a new password. */
export function linkSentPage(context: PageContext, data: { readonly signIn: string; readonly sent?: string }): Html {
  const words = context.language.messages.forgot
  return outcomeCard(context, {
    outcome: 'approved',
    id: 'link-sent',
    title: words.sentTitle,
    lead: data.sent ?? words.sent,
    content: html`<p class="centred">${words.sentHint}</p>
      ${wayOn(data.signIn, words.back)}`,
  })
}
