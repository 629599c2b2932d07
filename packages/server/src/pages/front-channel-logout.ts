/** Notifies clients in frames that the person signed out, then goes on (OIDC Front-Channel Logout §3). */
import { onwardScript } from './assets/assets.ts'
import { type Html, html } from './html.ts'
import { type PageContext, layout } from './layout.ts'

export interface FrontChannelLogoutData {
  /** The registered frontchannel_logout_uri of each client, with iss and sid. */
  readonly frames: readonly string[]
  /** The next page: one of ours, or a registered post_logout_redirect_uri. */
  readonly onward: string
}

export function frontChannelLogoutPage(context: PageContext, data: FrontChannelLogoutData): Html {
  const words = context.language.messages.logout
  return layout(context, {
    title: words.framesTitle,
    shape: 'card',
    scripts: [onwardScript],
    main: html`<h1 id="signed-out">${words.framesTitle}</h1>
      <p class="lead">${words.frames}</p>
      <progress aria-label="${words.frames}"></progress>
      ${logoutFrames(context, data.frames)}
      <p class="onward"><a class="button primary" id="onward" href="${data.onward}">${words.onward}</a></p>`,
  })
}

export const logoutFrames = ({ language }: PageContext, frames: readonly string[]): readonly Html[] =>
  frames.map((address) => iframe(language.messages.logout.frame(hostOf(address)), address))

/** Sandboxed, so that a client can clear its own state but not navigate the whole page away. */
const iframe = (title: string, address: string): Html =>
  html`<iframe
    class="silent"
    title="${title}"
    src="${address}"
    sandbox="allow-scripts allow-same-origin"
    tabindex="-1"
  ></iframe>`

const hostOf = (address: string): string => URL.parse(address)?.host ?? ''
