/** Asks before signing out: a link from elsewhere must not do it alone (OIDC RP-Initiated Logout §2). */
import { type FormTarget, button, form } from './components/form.ts'
import { shownName } from './components/name.ts'
import { type Html, html, nothing } from './html.ts'
import { type PageContext, layout } from './layout.ts'

export interface LogoutData {
  readonly form: FormTarget
  /** The client that asks, if a valid hint names it. */
  readonly client: string | null
}

/** The form sends `sign-out`, or `stay`. */
export function logoutPage(context: PageContext, data: LogoutData): Html {
  const words = context.language.messages.logout
  return layout(context, {
    title: words.title,
    shape: 'card',
    main: html`<h1>${words.title}</h1>
      ${data.client === null ? nothing : html`<p class="lead">${words.asked(shownName(data.client))}</p>`}
      <p class="${data.client === null ? 'lead' : 'centred'}">${words.lead(context.theme.name)}</p>
      ${form(
        data.form,
        html`<div class="stack">
          ${button({ name: 'sign-out', text: words.confirm, look: 'primary' })}${button({ name: 'stay', text: words.stay, look: 'plain' })}
        </div>`,
      )}`,
  })
}
