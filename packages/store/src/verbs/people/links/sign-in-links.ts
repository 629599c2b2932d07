/** Sign-in links. One is used by deleting it: of concurrent uses, only one deletes it. */
import { emailKey } from '@grantor/protocol/people'
import type { Handle, TenantId } from '@grantor/protocol/types'
import type { SignInLinkRow, SignInLinkStore } from '../../../contract/people/sign-in-links.ts'
import type { Entry } from '../../entry.ts'
import { instant, maybeBytes, text } from '../../row.ts'
import { changed, first, type Row, run, sql, type Verb } from '../../verb.ts'
import { mailLinks } from './mail-links.ts'

const linkOf = (row: Row): SignInLinkRow => ({
  tenant: text(row, 'tenant') as TenantId,
  handle: text(row, 'handle') as Handle,
  subject: text(row, 'subject'),
  browser: text(row, 'browser') as Handle,
  sealedReturn: maybeBytes(row, 'sealed_return'),
  madeAt: instant(row, 'made_at'),
  expiresAt: instant(row, 'expires_at'),
})

export function* find(tenant: TenantId, handle: Handle): Verb<SignInLinkRow | null> {
  const row = yield* first(sql`select * from sign_in_links where tenant = ${tenant} and handle = ${handle}`)
  return row && linkOf(row)
}

export const mail = (
  mailing: Omit<Parameters<SignInLinkStore['mail']>[0], 'events'>,
  entries: readonly Entry[],
): Verb<'mailed' | 'gone'> => mailLinks(mailing, replaceLink, entries)

type MailedLink = Parameters<SignInLinkStore['mail']>[0]['links'][number]

/**
 * Links that other browsers requested stay: strangers who request links for a person do not invalidate the person's
 * own.
 */
function* replaceLink({ link: it, address }: MailedLink): Verb<boolean> {
  // Changes nothing, but locks the person: a later change of the address finds the link, and deletes it.
  const reached = yield* changed(sql`update users set version = version
    where tenant = ${it.tenant} and id = ${it.subject} and email_key = ${emailKey(address)}`)
  if (!reached) return false
  yield* run(sql`delete from sign_in_links
    where tenant = ${it.tenant} and subject = ${it.subject} and browser = ${it.browser}`)
  yield* run(sql`insert into sign_in_links (tenant, handle, subject, browser, sealed_return, made_at, expires_at)
    values (${it.tenant}, ${it.handle}, ${it.subject}, ${it.browser}, ${it.sealedReturn}, ${it.madeAt}, ${it.expiresAt})`)
  return true
}

export function* spend({
  tenant,
  handle,
  browser,
  at,
}: Parameters<SignInLinkStore['spend']>[0]): Verb<'spent' | 'gone'> {
  const spent = yield* changed(sql`delete from sign_in_links where tenant = ${tenant} and handle = ${handle}
    and browser = ${browser} and expires_at > ${at}`)
  return spent ? 'spent' : 'gone'
}
