/** A password instead of the one that was made for the person, made for password managers: the account's name is in the form. */
import { formScript } from './assets/assets.ts'
import { field } from './components/field.ts'
import { type FormTarget, button, form } from './components/form.ts'
import { shownName } from './components/name.ts'
import { strengthHint } from './components/strength.ts'
import { errorSummary } from './components/notice.ts'
import { type Html, html } from './html.ts'
import type { Messages } from './language/en.ts'
import { type PageContext, layout } from './layout.ts'

export interface NewPasswordData {
  readonly form: FormTarget
  readonly username: string
  readonly leastLength: number
  readonly error: keyof Messages['changePassword']['errors'] | null
}

/** The form sends `new-password`. */
export function newPasswordPage(context: PageContext, data: NewPasswordData): Html {
  const { newPassword: words, changePassword } = context.language.messages
  const error =
    data.error === null ? null : changePassword.errors[data.error](data.leastLength, context.language.formats)
  return layout(context, {
    title: words.title,
    shape: 'card',
    failed: error !== null,
    scripts: [formScript],
    main: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead(shownName(data.username))}</p>
      ${errorSummary(context, 'new-password', error)}
      ${form(data.form, [
        html`<input type="text" name="username" autocomplete="username" value="${data.username}" hidden />`,
        field({
          name: 'new-password',
          label: changePassword.fresh,
          type: 'password',
          autocomplete: 'new-password',
          hint: changePassword.hint(data.leastLength, context.language.formats),
          error,
          show: context.language.messages.login.show,
          focus: true,
        }),
        strengthHint(context, 'new-password'),
        html`<p class="fine">${words.why}</p>`,
        button({ name: 'change-password', text: words.submit, look: 'primary' }),
      ])}`,
  })
}
