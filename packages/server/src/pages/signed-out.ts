/** The end of a session, said plainly. */
import { icon } from './components/icon.ts'
import { shownName } from './components/name.ts'
import { type Html, html, nothing } from './html.ts'
import { type PageContext, layout } from './layout.ts'

export interface SignedOutData {
  /** Only an address that is registered for this client may stand here. */
  readonly back: { readonly client: string; readonly href: string } | null
  readonly signIn: string | null
}

export function signedOutPage(context: PageContext, data: SignedOutData): Html {
  const words = context.language.messages.logout
  return layout(context, {
    title: words.doneTitle,
    shape: 'card',
    main: html`<p class="emblem approved">${icon('check')}</p>
      <h1 id="signed-out">${words.doneTitle}</h1>
      <p class="lead">${words.done(context.theme.name)}</p>
      ${
        data.back === null
          ? nothing
          : html`<p class="onward">
              <a class="button primary" href="${data.back.href}">${words.back(shownName(data.back.client))}</a>
            </p>`
      }
      ${data.signIn === null ? nothing : html`<p class="onward"><a class="button plain" href="${data.signIn}">${words.signInAgain}</a></p>`}`,
  })
}
