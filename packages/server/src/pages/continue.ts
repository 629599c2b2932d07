/**
 * Leads a browser to the client by a link instead of a redirect. Chromium applies `form-action` to every redirect that
 * follows a form, also to those after the client's own redirect URI (https://client/cb → app://…), which we cannot know
 * and so cannot allow. A page ends the chain: later redirects do not belong to the form.
 */
import { onwardScript } from './assets/assets.ts'
import { type Html, html } from './html.ts'
import { type PageContext, layout } from './layout.ts'
import { hostOrScheme } from './components/name.ts'

export interface ContinueData {
  /** The authorization response: the validated redirect URI with its parameters. */
  readonly href: string
}

export function continuePage(context: PageContext, data: ContinueData): Html {
  const words = context.language.messages.formPost
  return layout(context, {
    title: words.title,
    shape: 'card',
    scripts: [onwardScript],
    main: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead(hostOrScheme(data.href))}</p>
      <p class="onward"><a class="button primary" id="onward" href="${data.href}">${words.submit}</a></p>`,
  })
}
