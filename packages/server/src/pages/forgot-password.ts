/** A forgotten password: asks who it is, and then says the same whoever that was. */
import { field } from './components/field.ts'
import { type FormTarget, button, form } from './components/form.ts'
import { icon } from './components/icon.ts'
import { errorSummary } from './components/notice.ts'
import { type Html, html } from './html.ts'
import { type Frame, layout } from './layout.ts'
import { wait } from './login.ts'

export interface ForgotPasswordData {
  readonly form: FormTarget
  readonly username: string
  /** Seconds to wait, where too much was asked for from here; it says nothing about the name. */
  readonly throttled: number | null
}

/** The form sends `username`: a name or an address. */
export function forgotPasswordPage(frame: Frame, data: ForgotPasswordData): Html {
  const words = frame.language.messages.forgot
  const error = data.throttled === null ? null : words.throttled(wait(frame, data.throttled))
  return layout(frame, {
    title: words.title,
    shape: 'card',
    failed: error !== null,
    main: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      ${errorSummary(frame, 'username', error)}
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
      ])}`,
  })
}

export function linkSentPage(frame: Frame, data: { readonly signIn: string }): Html {
  const words = frame.language.messages.forgot
  return layout(frame, {
    title: words.sentTitle,
    shape: 'card',
    main: html`<p class="emblem approved">${icon('check')}</p>
      <h1 id="link-sent">${words.sentTitle}</h1>
      <p class="lead">${words.sent}</p>
      <p class="centred">${words.sentHint}</p>
      <p class="onward"><a class="button plain" href="${data.signIn}">${words.back}</a></p>`,
  })
}
