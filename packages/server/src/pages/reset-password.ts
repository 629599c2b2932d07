/** The outcomes of a mailed link for a new password. */
import { outcomeCard, wayOn } from './components/card.ts'
import type { Html } from './html.ts'
import type { PageContext } from './layout.ts'

export function passwordResetPage(context: PageContext, data: { readonly signIn: string }): Html {
  const { doneTitle: title, done: lead, signIn } = context.language.messages.reset
  const content = wayOn(data.signIn, signIn, 'primary')
  return outcomeCard(context, { outcome: 'approved', id: 'password-changed', title, lead, content })
}

/** The same text for links used, replaced, expired and never issued. */
export function linkGonePage(context: PageContext, data: { readonly again: string }): Html {
  const { goneTitle: title, gone: lead, again } = context.language.messages.reset
  const content = wayOn(data.again, again, 'primary')
  return outcomeCard(context, { outcome: 'failed', id: 'error', title, lead, content })
}
