/** Where a person is signed in, and the way to end it. */
import { facts } from '../components/facts.ts'
import { type FormTarget, button, form } from '../components/form.ts'
import { shownName } from '../components/name.ts'
import { ago } from '../components/time.ts'
import { type Html, html, nothing } from '../html.ts'
import { type AccountFrame, accountLayout } from './frame.ts'

export interface ShownSession {
  /** What the form sends back in `end`. */
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
  readonly now: number
}

/** The form sends `end` with a reference, or `end-others`. */
export function sessionsPage(frame: AccountFrame, data: SessionsData): Html {
  const words = frame.language.messages.sessions
  return accountLayout(frame, {
    section: 'sessions',
    lead: words.lead,
    content: html`<ul class="cards">
        ${data.sessions.map((session) => sessionCard(frame, data, session))}
      </ul>
      ${
        data.sessions.some((session) => !session.current)
          ? form(data.form, button({ name: 'end-others', text: words.endOthers, look: 'danger' }))
          : html`<p class="fine">${words.only}</p>`
      }`,
  })
}

function sessionCard(frame: AccountFrame, data: SessionsData, session: ShownSession): Html {
  const words = frame.language.messages.sessions
  const device = session.device === null ? words.unknownDevice : shownName(session.device)
  return html`<li class="tile">
    <div class="tile-head">
      <h2>${device}</h2>
      ${session.current ? html`<span class="badge new">${words.current}</span>` : nothing}
    </div>
    ${facts([
      [words.started, ago(frame.language, session.startedAt, data.now)],
      [words.seen, ago(frame.language, session.seenAt, data.now)],
      session.address === null ? null : [words.address, session.address],
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
