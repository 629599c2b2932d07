/** The device flow's own pages (RFC 8628 §3.3): type or compare the code; what came of it. The decision itself is consent.ts. */
import { field } from './components/field.ts'
import { type FormTarget, button, form } from './components/form.ts'
import { type IconName, icon } from './components/icon.ts'
import { shownName } from './components/name.ts'
import { errorSummary, notice } from './components/notice.ts'
import { type Html, html, nothing } from './html.ts'
import { type PageContext, layout } from './layout.ts'
import { waitText } from './login.ts'

export type DeviceCodeError =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'throttled'; readonly seconds: number }

export interface DeviceEntryData {
  readonly form: FormTarget
  readonly userCode: string
  /** The code came in the address (verification_uri_complete): it must be compared, never waved through (§5.4). */
  readonly prefilled: boolean
  readonly error: DeviceCodeError | null
}

export function deviceEntryPage(context: PageContext, data: DeviceEntryData): Html {
  const words = context.language.messages.device
  const error = data.error === null ? null : errorText(context, data.error)
  return layout(context, {
    title: words.title,
    shape: 'card',
    failed: error !== null,
    main: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      ${errorSummary(context, 'user_code', error)}
      ${form(data.form, [
        field({
          name: 'user_code',
          label: words.code,
          type: 'text',
          autocomplete: 'off',
          value: data.userCode,
          hint: words.hint,
          focus: !data.prefilled,
          look: 'code',
          maxLength: 32,
        }),
        data.prefilled && error === null ? notice('warning', words.prefilled) : nothing,
        button({ name: 'confirm', text: words.confirm, look: 'primary' }),
      ])}`,
  })
}

function errorText(context: PageContext, error: DeviceCodeError): string {
  const words = context.language.messages.device
  return error.kind === 'throttled' ? words.throttled(waitText(context, error.seconds)) : words[error.kind]
}

export type DeviceOutcome =
  | { readonly kind: 'approved' | 'denied'; readonly client: string }
  | { readonly kind: 'expired'; readonly startOver: string }

export function deviceDonePage(context: PageContext, outcome: DeviceOutcome): Html {
  const words = context.language.messages.device
  const title = words[`${outcome.kind}Title`]
  return layout(context, {
    title,
    shape: 'card',
    main: html`<p class="emblem ${outcome.kind}">${icon(emblems[outcome.kind])}</p>
      <h1 id="device-${outcome.kind}">${title}</h1>
      ${
        outcome.kind === 'expired'
          ? html`<p class="lead">${words.expired}</p>
              <p class="onward"><a class="button plain" href="${outcome.startOver}">${words.startOver}</a></p>`
          : html`<p class="lead">${words[outcome.kind](shownName(outcome.client))}</p>`
      }`,
  })
}

const emblems: Readonly<Record<DeviceOutcome['kind'], IconName>> = {
  approved: 'check',
  denied: 'info',
  expired: 'info',
}
