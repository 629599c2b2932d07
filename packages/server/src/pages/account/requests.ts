/** Requests of apps by the back channel: one is shown to be answered, others are listed; and the person's user code. */
import { field } from '../components/field.ts'
import { type FormTarget, button, form } from '../components/form.ts'
import { shownName } from '../components/name.ts'
import { ago } from '../components/time.ts'
import { verification } from '../components/client.ts'
import {
  type ConsentData,
  consentChoice,
  consentCircumstances,
  consentComparison,
  requestedAccess,
} from '../consent.ts'
import { type Html, html, nothing } from '../html.ts'
import { type AccountPageContext, accountLayout } from './layout.ts'

export interface ShownRequest extends Omit<ConsentData, 'form'> {
  /** The value that the form sends as `request`. */
  readonly reference: string
  readonly expiresAt: number
}

export interface WaitingRequestLink {
  readonly client: string
  readonly message: string | null
  readonly askedAt: number
  readonly href: string
}

export interface RequestsData {
  readonly form: FormTarget
  /** The request to answer; null where none waits. */
  readonly request: ShownRequest | null
  readonly others: readonly WaitingRequestLink[]
  /** Whether apps must send the person's user code. */
  readonly hasUserCode: boolean
  readonly error: 'malformed' | null
  readonly now: number
}

/** The form sends `request` with `allow` or `deny`, and `scope:<name>` as consent does; or `user_code`, or `remove-user-code`. */
export function requestsPage(context: AccountPageContext, data: RequestsData): Html {
  const words = context.language.messages.requests
  const error = data.error === null ? null : words.userCodeMalformed
  return accountLayout(context, {
    section: 'requests',
    failed: error !== null,
    lead: words.lead,
    content: html`${data.request === null ? html`<p class="empty">${words.none}</p>` : requestCard(context, data, data.request)}
    ${data.others.length === 0 ? nothing : otherRequests(context, data)} ${userCodeSection(context, data, error)}`,
  })
}

function requestCard(context: AccountPageContext, data: RequestsData, request: ShownRequest): Html {
  const words = context.language.messages.requests
  const consent = context.language.messages.consent
  const shown: ConsentData = { ...request, form: data.form }
  const left = Math.max(60, Math.ceil((request.expiresAt - data.now) / 60_000) * 60)
  return html`<section class="tile" aria-labelledby="request">
    <h2 id="request">${consent.title(shownName(request.client.name))}</h2>
    ${verification(context, shown.client, { returns: false })}
    ${form(data.form, [
      html`<input type="hidden" name="request" value="${request.reference}" />`,
      consentComparison(context, shown),
      requestedAccess(context, shown),
      consentCircumstances(context, shown),
      html`<p class="fine">${words.waits(context.language.formats.duration(left))}</p>`,
      consentChoice(context, shown.client),
    ])}
  </section>`
}

const otherRequests = (context: AccountPageContext, { others, now }: RequestsData): Html =>
  html`<section aria-labelledby="others">
    <h2 id="others">${context.language.messages.requests.others}</h2>
    <ul class="cards">
      ${others.map(
        (it) =>
          html`<li class="tile">
            <h3><a href="${it.href}">${shownName(it.client)}</a></h3>
            ${it.message === null ? nothing : html`<p>${it.message}</p>`}
            <p class="fine">${ago(context.language, it.askedAt, now)}</p>
          </li>`,
      )}
    </ul>
  </section>`

function userCodeSection(context: AccountPageContext, data: RequestsData, error: string | null): Html {
  const words = context.language.messages.requests
  return html`<section class="tile" aria-labelledby="user-code">
    <h2 id="user-code">${words.userCodeTitle}</h2>
    <p class="fine">${data.hasUserCode ? words.userCodeSet : words.userCodeUnset}</p>
    ${form(data.form, [
      field({
        name: 'user_code',
        label: words.userCode,
        type: 'password',
        autocomplete: 'off',
        hint: words.userCodeHint,
        error,
        focus: error !== null,
        maxLength: 64,
      }),
      button({ name: 'set-user-code', text: words.setUserCode, look: 'plain' }),
    ])}
    ${
      data.hasUserCode
        ? form(data.form, button({ name: 'remove-user-code', text: words.removeUserCode, look: 'danger' }))
        : nothing
    }
  </section>`
}
