/** The page for downloading all data about a person, and for deleting the account. */
import { field } from '../components/field.ts'
import { type FormTarget, button, form } from '../components/form.ts'
import { outcomeCard, wayOn } from '../components/card.ts'
import { notice } from '../components/notice.ts'
import { type Html, html, nothing } from '../html.ts'
import type { PageContext } from '../layout.ts'
import { type AccountPageContext, accountLayout } from './layout.ts'

export interface OwnDataData {
  readonly form: FormTarget
  readonly downloadHref: string
  /** When the account would be deleted. */
  readonly dueAt: number
  /** People without a password are not asked for one. */
  readonly hasPassword: boolean
  /** 'outrun': the account was changed at the same moment. */
  readonly error: 'wrong' | 'stale' | 'lastOwner' | 'outrun' | null
}

/** The form sends `password`. */
export function ownDataPage(context: AccountPageContext, data: OwnDataData): Html {
  const { ownData: words } = context.language.messages
  const error = errorText(context, data)
  const atField = data.hasPassword && data.error !== 'outrun'
  return accountLayout(context, {
    section: 'data',
    failed: error !== null,
    lead: words.lead,
    content: html`<div class="tile">
        <h2>${words.downloadTitle}</h2>
        <p>${words.downloadLead}</p>
        <p><a class="button plain" id="download" href="${data.downloadHref}">${words.download}</a></p>
      </div>
      <div class="tile">
        <h2>${words.deleteTitle}</h2>
        <p>${words.deleteLead(context.language.formats.date(data.dueAt))}</p>
        ${error === null || atField ? nothing : notice('warning', error)}
        ${data.hasPassword ? byPassword(context, data, atField ? error : null) : bySecondPress(context, data)}
      </div>`,
  })
}

const byPassword = (context: PageContext, data: OwnDataData, error: string | null): Html =>
  form(data.form, [
    field({
      name: 'password',
      label: context.language.messages.address.password,
      type: 'password',
      autocomplete: 'current-password',
      error,
      focus: error !== null,
    }),
    endButton(context),
  ])

/** A person without a password confirms by a second press. */
const bySecondPress = (context: PageContext, data: OwnDataData): Html =>
  html`<details class="confirm">
    <summary>${context.language.messages.ownData.submit}</summary>
    ${form(data.form, endButton(context))}
  </details>`

const endButton = ({ language }: PageContext): Html =>
  button({ name: 'delete-account', text: language.messages.ownData.submit, look: 'danger' })

function errorText(context: PageContext, { error }: OwnDataData): string | null {
  const { ownData: words, address, methods } = context.language.messages
  if (error === null) return null
  if (error === 'wrong') return address.errors.wrong
  return error === 'outrun' ? methods.failed.outrun : words[error]
}

export interface EndedAccountData {
  readonly dueAt: number
  readonly signIn: string
}

export function accountEndedPage(context: PageContext, { dueAt, signIn }: EndedAccountData): Html {
  const { ownData: words, reset } = context.language.messages
  return outcomeCard(context, {
    outcome: 'approved',
    id: 'account-ended',
    title: words.deletedTitle,
    lead: words.deleted(context.language.formats.date(dueAt)),
    content: wayOn(signIn, reset.signIn),
  })
}
