/** A forgotten password: asks who it is, and then says the same whoever that was. */
import { formScript } from './assets/assets.ts'
import { field } from './components/field.ts'
import { type FormTarget, button, form } from './components/form.ts'
import { icon } from './components/icon.ts'
import { errorSummary } from './components/notice.ts'
import { wait } from './components/wait.ts'
import { type Html, html } from './html.ts'
import { type PageContext, layout } from './layout.ts'

export interface ForgotPasswordData {
  readonly form: FormTarget
  readonly username: string
  /** Where one came from. */
  readonly signIn: string
  /** Seconds to wait, where too much was asked for from here; it says nothing about the name. */
  readonly throttled: number | null
}

/** The form sends `username`: a name or an address. */
export function forgotPasswordPage(context: PageContext, data: ForgotPasswordData): Html {
  const words = context.language.messages.forgot
  const error = data.throttled === null ? null : wait(context, data.throttled, words.throttled)
  return layout(context, {
    title: words.title,
    shape: 'card',
    failed: error !== null,
    scripts: [formScript],
    main: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      ${errorSummary(context, 'username', error)}
      ${form(data.form, [
        field({
          name: 'username',
          label: words.named,
          type: 'text',
          autocomplete: 'username',
          value: data.username,
          focus: true,
        }),
        button({ name: 'send-link', text: words.submit, look: 'primary' }),
        html`<p class="aside"><a id="back" href="${data.signIn}">${words.back}</a></p>`,
      ])}`,
  })
}

export function linkSentPage(context: PageContext, data: { readonly signIn: string }): Html {
  const words = context.language.messages.forgot
  return layout(context, {
    title: words.sentTitle,
    shape: 'card',
    main: html`<p class="emblem approved">${icon('check')}</p>
      <h1 id="link-sent">${words.sentTitle}</h1>
      <p class="lead">${words.sent}</p>
      <p class="centred">${words.sentHint}</p>
      <p class="onward"><a class="button plain" href="${data.signIn}">${words.back}</a></p>`,
  })
}
