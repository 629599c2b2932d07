/** Recent events of an account, from the event log, in words. */
import { type ActivityGroup, activityGroups } from '@grantor/authority'
import { leftToRight } from '../components/direction.ts'
import { shownName } from '../components/name.ts'
import { olderLink } from '../components/onward.ts'
import { ago } from '../components/time.ts'
import { type Html, html, nothing } from '../html.ts'
import type { Messages } from '../language/en.ts'
import { type AccountPageContext, accountLayout } from './layout.ts'

export type ActivityKind = keyof Messages['activity']['kinds']

export interface ShownEvent {
  readonly kind: ActivityKind
  readonly at: number
  readonly client: string | null
  readonly address: string | null
  readonly device: string | null
}

export interface ActivityData {
  readonly events: readonly ShownEvent[]
  /** The only group shown; null: all. */
  readonly group: ActivityGroup | null
  readonly addressOf: (group: ActivityGroup | null) => string
  /** The URL of older events; null at the end. */
  readonly older: string | null
  readonly now: number
}

/** Events that are highlighted. */
const alarming: ReadonlySet<ActivityKind> = new Set(['login.failed', 'token.replayed'])

export function activityPage(context: AccountPageContext, data: ActivityData): Html {
  const words = context.language.messages.activity
  return accountLayout(context, {
    section: 'activity',
    lead: words.lead,
    content: html`${filter(context, data)}${
      data.events.length === 0
        ? html`<p class="empty">${words.none}</p>`
        : html`<table class="events">
            <thead>
              <tr>
                <th scope="col">${words.what}</th>
                <th scope="col">${words.when}</th>
                <th scope="col">${words.where}</th>
              </tr>
            </thead>
            <tbody>
              ${data.events.map((event) => row(context, event, data.now))}
            </tbody>
          </table> `
    }${olderLink(context, data.older)}`,
  })
}

function filter({ language }: AccountPageContext, { group, addressOf }: ActivityData): Html {
  const words = language.messages.activity.show
  return html`<nav class="filter" aria-label="${words.label}">
    ${[null, ...activityGroups].map(
      (one) =>
        html`<a href="${addressOf(one)}" ${one === group ? html` aria-current="true"` : nothing}
          >${words[one ?? 'all']}</a
        >`,
    )}
  </nav>`
}

function row(context: AccountPageContext, event: ShownEvent, now: number): Html {
  const client = event.client === null ? null : shownName(event.client)
  return html`<tr class="${alarming.has(event.kind) ? 'alarming' : ''}">
    <td>${context.language.messages.activity.kinds[event.kind](client)}</td>
    <td>${ago(context.language, event.at, now)}</td>
    <td>${place(event)}</td>
  </tr>`
}

function place({ device, address }: ShownEvent): Html {
  if (device === null && address === null) return html`–`
  return html`${device === null ? nothing : html`<span>${device}</span>`}
  ${address === null ? nothing : leftToRight(address)}`
}
