/** Pages of the device flow (RFC 8628 §3.3): type or compare the code, and the outcome; consent.ts has the decision. */
import { formCard, type Outcome, outcomeCard, wayOn } from './components/card.ts'
import { field } from './components/field.ts'
import { type FormTarget, button } from './components/form.ts'
import { shownName } from './components/name.ts'
import { notice } from './components/notice.ts'
import { wait } from './components/wait.ts'
import { type Html, html, nothing, type Renderable } from './html.ts'
import type { PageContext } from './layout.ts'

export type DeviceCodeError =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'throttled'; readonly seconds: number }

export interface DeviceEntryData {
  readonly form: FormTarget
  readonly userCode: string
  /** The code came in the URL (verification_uri_complete): the person must compare it (§5.4). */
  readonly prefilled: boolean
  readonly error: DeviceCodeError | null
}

export function deviceEntryPage(context: PageContext, data: DeviceEntryData): Html {
  const words = context.language.messages.device
  const error = data.error === null ? null : errorText(context, data.error)
  return formCard(context, {
    title: words.title,
    lead: words.lead,
    error: error === null ? null : { field: 'user_code', text: error, shown: data.error?.kind !== 'throttled' },
    form: data.form,
    content: [
      field({
        name: 'user_code',
        label: words.code,
        type: 'text',
        autocomplete: 'off',
        value: data.userCode,
        hint: words.hint,
        error: data.error?.kind === 'throttled' ? null : error,
        focus: !data.prefilled,
        look: 'code',
        maxLength: 32,
      }),
      data.prefilled && error === null ? notice('warning', words.prefilled) : nothing,
      button({ name: 'confirm', text: words.confirm, look: 'primary' }),
    ],
  })
}

function errorText(context: PageContext, error: DeviceCodeError): Renderable {
  const words = context.language.messages.device
  return error.kind === 'throttled' ? wait(context, error.seconds, words.throttled) : words[error.kind]
}

export type DeviceOutcome =
  | { readonly kind: 'approved' | 'denied'; readonly client: string; readonly account: string }
  | { readonly kind: 'expired'; readonly startOver: string }
  /** For a request by the back channel; `allRequests` is the page of waiting requests. */
  | { readonly kind: 'requestApproved' | 'requestDenied'; readonly client: string; readonly allRequests: string }
  | { readonly kind: 'requestExpired'; readonly allRequests: string }

export function deviceDonePage(context: PageContext, outcome: DeviceOutcome): Html {
  const words = context.language.messages.device
  const state = states[outcome.kind]
  return outcomeCard(context, {
    outcome: state,
    id: `${'allRequests' in outcome ? 'request' : 'device'}-${state}`,
    title: words[`${outcome.kind}Title`],
    lead: outcomeText(context, outcome),
    content: onward(context, outcome),
  })
}

const states: Readonly<Record<DeviceOutcome['kind'], Outcome>> = {
  approved: 'approved',
  denied: 'denied',
  expired: 'expired',
  requestApproved: 'approved',
  requestDenied: 'denied',
  requestExpired: 'expired',
}

function outcomeText(context: PageContext, outcome: DeviceOutcome): string {
  const words = context.language.messages.device
  if (outcome.kind === 'expired') return words.expired
  if (outcome.kind === 'requestExpired') return words.requestExpired
  return outcome.kind === 'approved' || outcome.kind === 'requestApproved'
    ? words.approved(shownName(outcome.client))
    : words.denied(shownName(outcome.client))
}

function onward(context: PageContext, outcome: DeviceOutcome): Html {
  const words = context.language.messages.device
  if ('startOver' in outcome) return wayOn(outcome.startOver, words.startOver)
  if ('account' in outcome)
    return html`${outcome.kind === 'approved' ? html`<p class="centred">${words.takeBack}</p>` : nothing}
    ${wayOn(outcome.account, context.language.messages.account.apps)}`
  return 'allRequests' in outcome ? wayOn(outcome.allRequests, words.allRequests) : nothing
}
