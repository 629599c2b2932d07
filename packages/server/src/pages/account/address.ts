/** A person's mail address: whether it was checked, and the way to check or change it. */
import { leftToRight } from '../components/direction.ts'
import { field } from '../components/field.ts'
import { type FormTarget, button, form } from '../components/form.ts'
import { notice } from '../components/notice.ts'
import { type Html, html, nothing } from '../html.ts'
import type { Messages } from '../language/en.ts'
import { type AccountPageContext, accountLayout } from './layout.ts'

export interface AddressData {
  readonly form: FormTarget
  readonly email: string | null
  readonly verified: boolean
  /** People without a password are not asked for one. */
  readonly hasPassword: boolean
  /** The address that a link this browser followed would confirm. */
  readonly pending: string | null
  /** The link that this browser followed is invalid, or not for this account. */
  readonly linkGone: boolean
  /** The typed address, where the form is shown again. */
  readonly typed: string
  readonly error: keyof Messages['address']['errors'] | null
}

/** The form sends `confirm`, `send-check`, or `change-address` with `email` and `password`. */
export function addressPage(context: AccountPageContext, data: AddressData): Html {
  const words = context.language.messages.address
  const error = data.error === null ? null : words.errors[data.error]
  const wrong = data.error === 'wrong' ? 'password' : 'email'
  return accountLayout(context, {
    section: 'address',
    failed: error !== null,
    lead: words.lead,
    content: html`${data.linkGone ? notice('warning', words.linkGone) : nothing}
    ${data.pending === null ? nothing : pendingTile(context, data, data.pending)} ${currentTile(context, data)}
    ${changeTile(context, data, { wrong, error })}`,
  })
}

function pendingTile(context: AccountPageContext, data: AddressData, pending: string): Html {
  const words = context.language.messages.address
  return html`<div class="tile">
    <h2>${words.confirmTitle}</h2>
    <p>${words.confirmLead(pending)}</p>
    ${form(data.form, button({ name: 'confirm', text: words.confirm, look: 'primary' }))}
  </div>`
}

function currentTile(context: AccountPageContext, { form: target, email, verified }: AddressData): Html {
  const words = context.language.messages.address
  if (email === null) return html`<p class="empty">${words.none}</p>`
  return html`<div class="tile">
    <div class="tile-head">
      <h2 class="address">${leftToRight(email)}</h2>
      <span class="badge ${verified ? 'new' : 'sensitive'}">${verified ? words.verified : words.unverified}</span>
    </div>
    <p class="fine">${verified ? words.verifiedHint : words.unverifiedHint}</p>
    ${verified ? nothing : form(target, button({ name: 'send-check', text: words.sendCheck, look: 'plain' }))}
  </div>`
}

interface Wrong {
  readonly wrong: 'password' | 'email'
  readonly error: string | null
}

function changeTile(context: AccountPageContext, data: AddressData, { wrong, error }: Wrong): Html {
  const words = context.language.messages.address
  return html`<div class="tile">
    <h2>${data.email === null ? words.addTitle : words.changeTitle}</h2>
    ${form(data.form, [
      field({
        name: 'email',
        label: words.fresh,
        type: 'text',
        autocomplete: 'email',
        value: data.typed,
        hint: words.freshHint,
        maxLength: 254,
        error: wrong === 'email' ? error : null,
        focus: error !== null && wrong === 'email',
      }),
      data.hasPassword
        ? field({
            name: 'password',
            label: words.password,
            type: 'password',
            autocomplete: 'current-password',
            error: wrong === 'password' ? error : null,
            focus: error !== null && wrong === 'password',
          })
        : nothing,
      button({ name: 'change-address', text: words.submit, look: 'plain' }),
    ])}
  </div>`
}
