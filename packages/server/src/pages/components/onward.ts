/** The link to the next page of a list. */
import { type Html, html, nothing } from '../html.ts'
import type { PageContext } from '../layout.ts'

type Words = Pick<PageContext, 'language'>

/** For lists that go back in time; null at the end. */
export const olderLink = (context: Words, href: string | null): Html =>
  onward(href, context.language.messages.activity.older)

/** For other lists. */
export const furtherLink = (context: Words, href: string | null): Html =>
  onward(href, context.language.messages.apps.further)

const onward = (href: string | null, text: string): Html =>
  href === null ? nothing : html`<p class="onward"><a class="button plain" id="onward" href="${href}">${text}</a></p>`
