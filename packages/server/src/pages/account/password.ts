/** Change of password, made for password managers: the account's name is in the form, the new password asked once. */
import { formScript } from '../assets/assets.ts'
import { wayOn } from '../components/card.ts'
import { field } from '../components/field.ts'
import { type FormTarget, button, form } from '../components/form.ts'
import { strengthHint } from '../components/strength.ts'
import { type Html, html, nothing } from '../html.ts'
import type { Messages } from '../language/en.ts'
import { type AccountPageContext, accountLayout } from './layout.ts'

export interface PasswordData {
  readonly form: FormTarget
  readonly leastLength: number
  /** People without a password cannot change it here. */
  readonly hasPassword: boolean
  readonly error: keyof Messages['changePassword']['errors'] | null
}

/** The form sends `password` (the current one) and `new-password`. */
export function passwordPage(context: AccountPageContext, data: PasswordData): Html {
  const words = context.language.messages.changePassword
  const error = data.error === null ? null : words.errors[data.error](data.leastLength, context.language.formats)
  const wrong = data.error === 'wrong' ? 'password' : 'new-password'
  return accountLayout(context, {
    section: 'password',
    failed: error !== null,
    scripts: [formScript],
    lead: data.hasPassword ? words.lead : words.none,
    content: data.hasPassword ? passwordTile(context, data, { wrong, error }) : byMail(context),
  })
}

/** A first password is chosen by a mailed link, where the server can send mail. */
const byMail = ({ mail, language }: AccountPageContext): Html =>
  mail === undefined ? nothing : wayOn(mail.forgotHref, language.messages.newPassword.title)

interface Wrong {
  readonly wrong: 'password' | 'new-password'
  readonly error: string | null
}

function passwordTile(context: AccountPageContext, data: PasswordData, { wrong, error }: Wrong): Html {
  const words = context.language.messages.changePassword
  return html`<div class="tile">
    ${form(data.form, [
      html`<input type="text" name="username" autocomplete="username" value="${context.account.username}" hidden />`,
      field({
        name: 'password',
        label: words.current,
        type: 'password',
        autocomplete: 'current-password',
        error: wrong === 'password' ? error : null,
        focus: error !== null && wrong === 'password',
      }),
      field({
        name: 'new-password',
        label: words.fresh,
        type: 'password',
        autocomplete: 'new-password',
        hint: words.hint(data.leastLength, context.language.formats),
        error: wrong === 'new-password' ? error : null,
        focus: error !== null && wrong === 'new-password',
        show: context.language.messages.login.show,
      }),
      strengthHint(context, 'new-password'),
      html`<p class="fine">${words.endsOthers}</p>`,
      button({ name: 'change-password', text: words.submit, look: 'primary' }),
    ])}
  </div>`
}
