/** Replaces a queued request by its links: of two workers that answer it at once, one succeeds. */
import type { NewMail } from '../../../contract/outgoing/mails.ts'
import type { Entry } from '../../entry.ts'
import { insertMails } from '../../outgoing/mails.ts'
import { changed, log, sql, type Verb } from '../../verb.ts'

interface Mailing<L extends { readonly mail: NewMail }> {
  readonly links: readonly L[]
  readonly instead: Pick<NewMail, 'tenant' | 'id'> | null
}

/** `replaceLink` returns whether there is a link to mail. */
export function* mailLinks<L extends { readonly mail: NewMail }>(
  { links, instead }: Mailing<L>,
  replaceLink: (of: L) => Verb<boolean>,
  entries: readonly Entry[],
): Verb<'mailed' | 'gone'> {
  if (instead !== null) {
    const { tenant, id } = instead
    const asked = yield* changed(sql`delete from mails where tenant = ${tenant} and id = ${id}`)
    if (!asked) return 'gone'
  }
  for (const one of links) if (yield* replaceLink(one)) yield* insertMails([one.mail])
  yield* log(entries)
  return 'mailed'
}
