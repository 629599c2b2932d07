/** Browsers that may skip the second factor, and challenges for authenticators. */
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { FactorStore, RememberedBrowserRow } from '../../contract/people/factors.ts'
import type { Proven } from '../../contract/people/sessions.ts'
import type { Entry } from '../entry.ts'
import { instant, maybeText, text } from '../row.ts'
import { all, changed, first, log, type Row, run, sql, type Verb } from '../verb.ts'
import { stillProven } from './proof.ts'

type Use<N extends keyof FactorStore> = Parameters<FactorStore[N]>[0]

const browserOf = (row: Row): RememberedBrowserRow => ({
  tenant: text(row, 'tenant') as TenantId,
  id: text(row, 'id'),
  handle: text(row, 'handle') as Handle,
  subject: text(row, 'subject'),
  userAgent: maybeText(row, 'user_agent'),
  createdAt: instant(row, 'created_at'),
  lastUsedAt: instant(row, 'last_used_at'),
  expiresAt: instant(row, 'expires_at'),
})

export function* browser(tenant: TenantId, handle: Handle): Verb<RememberedBrowserRow | null> {
  const row = yield* first(sql`select * from remembered_browsers where tenant = ${tenant} and handle = ${handle}`)
  return row && browserOf(row)
}

export function* browsers(tenant: TenantId, subject: string): Verb<readonly RememberedBrowserRow[]> {
  const rows = yield* all(
    sql`select * from remembered_browsers where tenant = ${tenant} and subject = ${subject} order by created_at, id`,
  )
  return rows.map(browserOf)
}

/** Per person; the oldest are removed first. */
const maxBrowsers = 20

export function* remember(
  it: RememberedBrowserRow & Proven,
  entries: readonly Entry[],
): Verb<'remembered' | 'outdated'> {
  if (!(yield* stillProven(it))) return 'outdated'
  yield* run(sql`insert into remembered_browsers
      (tenant, id, handle, subject, user_agent, created_at, last_used_at, expires_at)
    values (${it.tenant}, ${it.id}, ${it.handle}, ${it.subject}, ${it.userAgent}, ${it.createdAt}, ${it.lastUsedAt},
      ${it.expiresAt})`)
  yield* run(sql`delete from remembered_browsers where tenant = ${it.tenant} and subject = ${it.subject} and id not in
    (select id from remembered_browsers where tenant = ${it.tenant} and subject = ${it.subject}
      order by created_at desc, id desc limit ${maxBrowsers})`)
  yield* log(entries)
  return 'remembered'
}

export function* seen(tenant: TenantId, id: string, at: Instant): Verb<void> {
  yield* run(sql`update remembered_browsers set last_used_at = ${at}
    where tenant = ${tenant} and id = ${id} and last_used_at < ${at}`)
}

export function* forget(
  { tenant, subject, id }: Use<'forgetBrowser'>,
  entries: readonly Entry[],
): Verb<'forgotten' | 'absent'> {
  const forgotten = yield* changed(sql`delete from remembered_browsers
    where tenant = ${tenant} and subject = ${subject} and id = ${id}`)
  if (!forgotten) return 'absent'
  yield* log(entries)
  return 'forgotten'
}

export function* poseChallenge(it: Use<'poseChallenge'>): Verb<void> {
  yield* run(sql`insert into passkey_challenges (tenant, handle, browser, purpose, expires_at)
    values (${it.tenant}, ${it.handle}, ${it.browser}, ${it.purpose}, ${it.expiresAt})`)
}

/** An expired challenge is deleted, too. */
export function* takeChallenge(it: Use<'takeChallenge'>): Verb<'taken' | 'absent'> {
  const row = yield* first(sql`delete from passkey_challenges
    where tenant = ${it.tenant} and handle = ${it.handle} and browser = ${it.browser} and purpose = ${it.purpose}
    returning expires_at`)
  return row === null || instant(row, 'expires_at') <= it.now ? 'absent' : 'taken'
}
