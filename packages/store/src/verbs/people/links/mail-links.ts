/** Links in place of the request that was queued for them: of two who answer it at once, one does. */
import type { NewMail } from '../../../contract/outgoing/mails.ts'
import type { Entry } from '../../entry.ts'
import { insertMails } from '../../outgoing/mails.ts'
import { first, log, sql, type Verb } from '../../verb.ts'

interface Mailing<L> {
  readonly links: readonly { readonly link: L; readonly mail: NewMail }[]
  readonly instead: Pick<NewMail, 'tenant' | 'id'> | null
}

export function* mailLinks<L>(
  { links, instead }: Mailing<L>,
  replaceLink: (link: L) => Verb<void>,
  entries: readonly Entry[],
): Verb<'mailed' | 'gone'> {
  if (instead !== null) {
    const { tenant, id } = instead
    const asked = yield* first(sql`delete from mails where tenant = ${tenant} and id = ${id} returning id`)
    if (asked === null) return 'gone'
  }
  for (const { link, mail } of links) {
    yield* replaceLink(link)
    yield* insertMails([mail])
  }
  yield* log(entries)
  return 'mailed'
}
