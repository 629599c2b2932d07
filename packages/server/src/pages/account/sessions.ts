/** The sessions of a person, and how to end them. */
import { leftToRight } from '../components/direction.ts'
import { facts } from '../components/facts.ts'
import { type FormTarget, button, form } from '../components/form.ts'
import { shownName } from '../components/name.ts'
import { olderLink } from '../components/onward.ts'
import { ago } from '../components/time.ts'
import { type Html, html, nothing } from '../html.ts'
import { type AccountPageContext, accountLayout } from './layout.ts'

export interface ShownSession {
  /** The value that the form sends as `end`. */
  readonly reference: string
  /** "Firefox on Linux"; null where the browser did not say. */
  readonly device: string | null
  readonly address: string | null
  readonly startedAt: number
  readonly seenAt: number
  readonly current: boolean
}

export interface SessionsData {
  readonly form: FormTarget
  readonly sessions: readonly ShownSession[]
  /** The URL of older sessions; null at the end. */
  readonly older: string | null
  readonly now: number
}

/** The form sends `end` with a reference, or `end-others`. */
export function sessionsPage(context: AccountPageContext, data: SessionsData): Html {
  const words = context.language.messages.sessions
  return accountLayout(context, {
    section: 'sessions',
    lead: words.lead,
    content: html`<ul class="cards">
        ${currentFirst(data.sessions).map((session) => sessionCard(context, data, session))}
      </ul>
      ${olderLink(context, data.older)}
      ${
        data.older !== null || data.sessions.some((session) => !session.current)
          ? form(data.form, button({ name: 'end-others', text: words.endOthers, look: 'danger' }))
          : html`<p class="fine">${words.only}</p>`
      }`,
  })
}

const currentFirst = (sessions: readonly ShownSession[]): readonly ShownSession[] =>
  sessions.toSorted((a, b) => Number(b.current) - Number(a.current))

function sessionCard(context: AccountPageContext, data: SessionsData, session: ShownSession): Html {
  const words = context.language.messages.sessions
  const device = session.device === null ? words.unknownDevice : shownName(session.device)
  return html`<li class="tile">
    <div class="tile-head">
      <h2>${device}</h2>
      ${session.current ? html`<span class="badge new">${words.current}</span>` : nothing}
    </div>
    ${facts([
      [words.started, ago(context.language, session.startedAt, data.now)],
      [words.seen, ago(context.language, session.seenAt, data.now)],
      session.address === null ? null : [words.address, leftToRight(session.address)],
    ])}
    ${
      session.current
        ? nothing
        : form(
            data.form,
            button({
              name: 'end',
              id: `end-${session.reference}`,
              value: session.reference,
              text: words.end,
              label: words.endNamed(device),
              look: 'plain',
            }),
          )
    }
  </li>`
}
