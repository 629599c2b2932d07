/** The pages for signing in by a mailed link: requesting the link, and opening it. */
import { formCard, outcomeCard, wayOn } from '../components/card.ts'
import { type FormTarget, button } from '../components/form.ts'
import { shownName } from '../components/name.ts'
import { wait } from '../components/wait.ts'
import { type ForgotPasswordData, linkSentPage, nameForLinkPage } from '../forgot-password.ts'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../layout.ts'

export type SignInLinkData = ForgotPasswordData

export const signInLinkPage = (context: PageContext, data: SignInLinkData): Html =>
  nameForLinkPage(context, data, context.language.messages.signInLink)

/** The same text whether the account exists or not. */
export const signInLinkSentPage = (context: PageContext, { signIn }: { readonly signIn: string }): Html =>
  linkSentPage(context, { signIn, sent: context.language.messages.signInLink.sent })

export interface FollowedLinkData {
  readonly form: FormTarget
  readonly username: string
  /** Seconds to wait after too many attempts from this address. */
  readonly throttled: number | null
}

/** Has a button, because programs that open every link of a mail press none. */
export function followedLinkPage(context: PageContext, data: FollowedLinkData): Html {
  const { signInLink: words, login } = context.language.messages
  const error = data.throttled === null ? null : wait(context, data.throttled, login.throttled)
  return formCard(context, {
    title: words.finish,
    lead: words.as(shownName(data.username)),
    error: error === null ? null : { field: 'finish-sign-in', text: error, shown: false },
    form: data.form,
    content: [
      html`<p class="fine">${words.finishHint}</p>`,
      button({ name: 'finish-sign-in', text: words.finish, look: 'primary' }),
    ],
  })
}

/** The link was requested in another browser, which alone may use it. */
export function linkOfAnotherBrowserPage(context: PageContext, data: { readonly again: string }): Html {
  const words = context.language.messages.signInLink
  return outcomeCard(context, {
    outcome: 'failed',
    id: 'error',
    title: words.elsewhereTitle,
    lead: words.elsewhere,
    content: wayOn(data.again, words.again, 'primary'),
  })
}
