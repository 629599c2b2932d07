/** Mailed links. A link is used by deleting it: of concurrent uses, only one deletes it. */
import type { Handle, TenantId } from '@grantor/protocol/types'
import type { LinkRow, LinkStore } from '../../../contract/people/links.ts'
import type { Entry } from '../../entry.ts'
import { insertMails } from '../../outgoing/mails.ts'
import { instant, text } from '../../row.ts'
import { changed, first, type Row, run, sql, undo, type Verb } from '../../verb.ts'
import * as users from '../users.ts'
import { mailLinks } from './mail-links.ts'

const linkOf = (row: Row): LinkRow => ({
  tenant: text(row, 'tenant') as TenantId,
  handle: text(row, 'handle') as Handle,
  purpose: text(row, 'purpose') as LinkRow['purpose'],
  subject: text(row, 'subject'),
  email: text(row, 'email'),
  madeAt: instant(row, 'made_at'),
  expiresAt: instant(row, 'expires_at'),
})

export function* find(tenant: TenantId, handle: Handle): Verb<LinkRow | null> {
  const row = yield* first(sql`select * from mailed_links where tenant = ${tenant} and handle = ${handle}`)
  return row && linkOf(row)
}

export const mail = (
  mailing: Omit<Parameters<LinkStore['mail']>[0], 'events'>,
  entries: readonly Entry[],
): Verb<'mailed' | 'gone'> => mailLinks(mailing, replaceLink, entries)

function* replaceLink({ link: it }: { readonly link: LinkRow }): Verb<true> {
  yield* run(sql`delete from mailed_links
    where tenant = ${it.tenant} and subject = ${it.subject} and purpose = ${it.purpose}`)
  yield* run(sql`insert into mailed_links (tenant, handle, purpose, subject, email, made_at, expires_at)
    values (${it.tenant}, ${it.handle}, ${it.purpose}, ${it.subject}, ${it.email}, ${it.madeAt}, ${it.expiresAt})`)
  return true
}

export function* spend(
  { handle, change, mails }: Omit<Parameters<LinkStore['spend']>[0], 'events'>,
  entries: readonly Entry[],
): Verb<'spent' | 'gone' | 'changed-meanwhile'> {
  const { tenant, id, at } = change
  const spent = yield* changed(sql`delete from mailed_links
    where tenant = ${tenant} and handle = ${handle} and subject = ${id} and expires_at > ${at}`)
  if (!spent) return 'gone'
  if ((yield* users.change(change, entries)) !== 'changed') {
    yield* undo()
    return 'changed-meanwhile'
  }
  yield* insertMails(mails)
  return 'spent'
}
