/** Pages for choosing a new password, after a reset or in place of one set by somebody else. */
import { type FieldError, formCard } from './components/card.ts'
import { field } from './components/field.ts'
import { type FormTarget, button } from './components/form.ts'
import { shownName } from './components/name.ts'
import { strengthHint } from './components/strength.ts'
import { type Html, html } from './html.ts'
import type { Messages } from './language/en.ts'
import type { PageContext } from './layout.ts'

export interface NewPasswordData {
  readonly form: FormTarget
  readonly username: string
  readonly leastLength: number
  readonly error: keyof Messages['changePassword']['errors'] | null
}

/** During a sign-in. The form sends `new-password`. */
export function newPasswordPage(context: PageContext, data: NewPasswordData): Html {
  const { newPassword: words } = context.language.messages
  return passwordCard(context, data, { ...words, consequence: words.why })
}

/** By a mailed link. The form sends `new-password`. */
export function resetPasswordPage(context: PageContext, data: NewPasswordData): Html {
  const { reset: words } = context.language.messages
  return passwordCard(context, data, { ...words, consequence: words.endsAll })
}

interface PasswordWords {
  readonly title: string
  lead(username: string): string
  readonly consequence: string
  readonly submit: string
}

function passwordCard(context: PageContext, data: NewPasswordData, words: PasswordWords): Html {
  const { changePassword, login } = context.language.messages
  const error = errorOf(context, data)
  return formCard(context, {
    title: words.title,
    lead: words.lead(shownName(data.username)),
    error,
    form: data.form,
    content: [
      html`<input type="text" name="username" autocomplete="username" value="${data.username}" hidden />`,
      field({
        name: 'new-password',
        label: changePassword.fresh,
        type: 'password',
        autocomplete: 'new-password',
        hint: changePassword.hint(data.leastLength, context.language.formats),
        error: error?.text ?? null,
        show: login.show,
        focus: true,
      }),
      strengthHint(context, 'new-password'),
      html`<p class="fine">${words.consequence}</p>`,
      button({ name: 'change-password', text: words.submit, look: 'primary' }),
    ],
  })
}

function errorOf({ language }: PageContext, { error, leastLength }: NewPasswordData): FieldError | null {
  if (error === null) return null
  const text = language.messages.changePassword.errors[error](leastLength, language.formats)
  return { field: 'new-password', text, shown: true }
}
