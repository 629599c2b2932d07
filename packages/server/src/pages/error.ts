/** The page for a request that cannot go on: what it means, what to do, and an id to quote; no internals. */
import { outcomeCard, wayOn } from './components/card.ts'
import { type Fact, facts } from './components/facts.ts'
import { type Html, html, nothing } from './html.ts'
import type { Messages } from './language/en.ts'
import type { PageContext } from './layout.ts'
import { problemOf } from './problems/list.ts'

export type ErrorKind = keyof Messages['error']['kinds']

export interface ErrorData {
  readonly kind: ErrorKind
  /** The OAuth error code, for developers; linked where it has a page. */
  readonly code: string | null
  readonly traceId: string | null
  /** The parameters that the app sent; only for a developer, on the machine that the server runs on. */
  readonly sent?: { readonly clientId: string | null; readonly redirectUri: string | null } | null
}

export function errorPage(context: PageContext, data: ErrorData): Html {
  const words = context.language.messages.error
  const text = words.kinds[data.kind]
  return outcomeCard(context, {
    outcome: 'failed',
    id: 'error',
    title: text.title,
    lead: text.lead,
    content: [
      html`<p class="centred">${text.remedy}</p>`,
      data.code === null && data.traceId === null
        ? nothing
        : facts([
            ...sentFacts(data),
            data.code === null ? null : [words.code, codeLink(context, data.code)],
            data.traceId === null
              ? null
              : [
                  words.trace,
                  html`<code class="copyable" id="trace-id">${data.traceId}</code
                    ><span class="hint">${words.traceHint}</span>`,
                ],
          ]),
      wayOn(`${context.base}/`, words.home),
    ],
  })
}

/** Named like in the app's own settings. */
function sentFacts({ sent = null }: ErrorData): readonly (Fact | null)[] {
  if (sent === null) return []
  const named = (name: string, value: string | null): Fact | null =>
    value === null ? null : [name, html`<code class="copyable" id="sent-${name}">${value}</code>`]
  return [named('client_id', sent.clientId), named('redirect_uri', sent.redirectUri)]
}

export const codeLink = (context: PageContext, code: string): Html =>
  problemOf(code) === null
    ? html`<code>${code}</code>`
    : html`<a href="${context.base}/problems/${code}"><code>${code}</code></a>`
