/** The page for a new account by a mailed link: name, password, and the terms of use if there are any. */
import type { Terms } from '@grantor/protocol/people'
import { type FieldError, formCard, outcomeCard, wayOn } from '../components/card.ts'
import { field } from '../components/field.ts'
import { type FormTarget, button } from '../components/form.ts'
import { strengthHint } from '../components/strength.ts'
import { type Html, html, nothing } from '../html.ts'
import type { PageContext } from '../layout.ts'
import { termsField, termsFields } from './terms.ts'

export interface NewAccountData {
  readonly form: FormTarget
  readonly email: string
  readonly name: string
  readonly terms: Terms | null
  /** Whether the box was ticked for this version, where the form is shown again; left out, not. */
  readonly agreed?: boolean
  readonly leastLength: number
  readonly error: 'name' | 'terms' | 'short' | 'long' | 'common' | null
}

/** The form sends `name`, `new-password` and, where there are terms, their version as `terms`. */
export function newAccountPage(context: PageContext, data: NewAccountData): Html {
  const { newAccount: words, changePassword, login } = context.language.messages
  const error = errorOf(context, data)
  return formCard(context, {
    title: words.title,
    lead: words.lead(data.email),
    error,
    form: data.form,
    content: [
      html`<input type="text" name="username" autocomplete="username" value="${data.email}" hidden />`,
      field({
        name: 'name',
        label: words.name,
        type: 'text',
        autocomplete: 'name',
        value: data.name,
        maxLength: 200,
        error: error?.field === 'name' ? error.text : null,
        focus: error === null || error.field === 'name',
      }),
      field({
        name: 'new-password',
        label: login.password,
        type: 'password',
        autocomplete: 'new-password',
        hint: changePassword.hint(data.leastLength, context.language.formats),
        error: error?.field === 'new-password' ? error.text : null,
        show: login.show,
        // Focused, because a typed password is not shown again.
        focus: error !== null && error.field !== 'name',
      }),
      strengthHint(context, 'new-password'),
      data.terms === null ? nothing : termsFields(context, data.terms, data.agreed === true),
      button({ name: 'create-account', text: words.submit, look: 'primary' }),
    ],
  })
}

function errorOf(context: PageContext, { error, leastLength }: NewAccountData): FieldError | null {
  const { newAccount, terms, changePassword } = context.language.messages
  if (error === null) return null
  if (error === 'name') return { field: 'name', text: newAccount.unreadable, shown: true }
  if (error === 'terms') return { field: termsField, text: terms.required, shown: false }
  const text = changePassword.errors[error](leastLength, context.language.formats)
  return { field: 'new-password', text, shown: true }
}

/** The same text for links used, replaced, expired and never issued. */
export function invitationGonePage(context: PageContext, data: { readonly signIn: string }): Html {
  const { reset, newAccount } = context.language.messages
  return outcomeCard(context, {
    outcome: 'failed',
    id: 'error',
    title: reset.goneTitle,
    lead: newAccount.gone,
    content: wayOn(data.signIn, reset.signIn, 'primary'),
  })
}
