/** Shown instead of a redirect to an app that nobody vouches for: the full address, and a link to go there. */
import { outcomeCard } from './components/card.ts'
import { facts } from './components/facts.ts'
import { hostOrScheme, shownName } from './components/name.ts'
import { notice } from './components/notice.ts'
import { codeLink } from './error.ts'
import { logoutFrames } from './front-channel-logout.ts'
import { type Html, html } from './html.ts'
import type { PageContext } from './layout.ts'

export interface UnredirectedData {
  readonly kind: 'refused' | 'denied' | 'signedOut'
  readonly client: string
  /** The registered address. */
  readonly address: string
  /** The answer to the app: a link, or a form (response_mode=form_post). */
  readonly answer:
    | { readonly href: string }
    | { readonly action: string; readonly fields: readonly (readonly [string, string])[] }
  /** The OAuth error code; null where there is no error. */
  readonly code: string | null
  readonly traceId: string | null
  /** The front-channel logout URLs of clients. */
  readonly frames: readonly string[]
}

export function unredirectedPage(context: PageContext, data: UnredirectedData): Html {
  const { unredirected: words, error } = context.language.messages
  const { title, lead } = words.kinds[data.kind]
  const signedOut = data.kind === 'signedOut'
  return outcomeCard(context, {
    outcome: signedOut ? 'approved' : 'failed',
    id: signedOut ? 'signed-out' : 'error',
    title,
    lead: lead(shownName(data.client)),
    content: [
      notice('warning', words.unchecked(context.theme.name)),
      facts([
        [words.address, html`<code class="copyable" id="address">${data.address}</code>`],
        data.code === null ? null : [error.code, codeLink(context, data.code)],
        data.traceId === null ? null : [error.trace, html`<code class="copyable" id="trace-id">${data.traceId}</code>`],
      ]),
      logoutFrames(context, data.frames),
      onward(words.go(hostOrScheme(data.address)), data),
    ],
  })
}

/** A link without referrer, or a form; the browser goes there only when the person presses it. */
const onward = (text: string, { answer }: UnredirectedData): Html =>
  'href' in answer
    ? html`<p class="onward">
        <a class="button plain" id="onward" href="${answer.href}" rel="noopener noreferrer nofollow">${text}</a>
      </p>`
    : html`<form method="post" action="${answer.action}" class="onward">
        ${answer.fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <button type="submit" class="button plain" id="onward">${text}</button>
      </form>`
