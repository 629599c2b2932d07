/** Where an app that nobody vouches for wanted a person led: the address is shown in full, and they go there themselves. */
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
  /** What the app would have been told: by a link, or by a form (response_mode=form_post). */
  readonly answer:
    | { readonly href: string }
    | { readonly action: string; readonly fields: readonly (readonly [string, string])[] }
  /** The OAuth error code; null where nothing went wrong. */
  readonly code: string | null
  readonly traceId: string | null
  /** The clients that hear of a sign-out in frames. */
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

/** Told nothing of where it was followed from; nothing goes there by itself. */
const onward = (text: string, { answer }: UnredirectedData): Html =>
  'href' in answer
    ? html`<p class="onward">
        <a class="button plain" id="onward" href="${answer.href}" rel="noopener noreferrer nofollow">${text}</a>
      </p>`
    : html`<form method="post" action="${answer.action}" class="onward">
        ${answer.fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <button type="submit" class="button plain" id="onward">${text}</button>
      </form>`
