/** The page after a sign-out. */
import { outcomeCard, wayOn } from './components/card.ts'
import { shownName } from './components/name.ts'
import { type Html, nothing } from './html.ts'
import type { PageContext } from './layout.ts'

export interface SignedOutData {
  /** A link back to the client; only a registered address is allowed. */
  readonly back: { readonly client: string; readonly href: string } | null
  readonly signIn: string | null
}

export function signedOutPage(context: PageContext, data: SignedOutData): Html {
  const words = context.language.messages.logout
  return outcomeCard(context, {
    outcome: 'approved',
    id: 'signed-out',
    title: words.doneTitle,
    lead: words.done(context.theme.name),
    content: [
      data.back === null ? nothing : wayOn(data.back.href, words.back(shownName(data.back.client)), 'primary'),
      data.signIn === null ? nothing : wayOn(data.signIn, words.signInAgain),
    ],
  })
}
