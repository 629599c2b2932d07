/** Invitations. One is used by deleting it: of concurrent uses, only one deletes it. */
import { emailKey, normaliseUsername } from '@grantor/protocol/people'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { InvitationRow, InvitationStore } from '../../contract/people/invitations.ts'
import { lockSubjects } from '../directory/clock.ts'
import type { Entry } from '../entry.ts'
import { insertMails } from '../outgoing/mails.ts'
import { asText, instant, json, maybeBytes, maybeText, text } from '../row.ts'
import { all, changed, first, log, type Row, run, sql, undo, type Verb } from '../verb.ts'
import { giveFirst } from './held-roles.ts'
import * as users from './users.ts'

const invitationOf = (row: Row): InvitationRow => ({
  tenant: text(row, 'tenant') as TenantId,
  id: text(row, 'id'),
  handle: text(row, 'handle') as Handle,
  kind: text(row, 'kind') as InvitationRow['kind'],
  email: text(row, 'email'),
  preset: json(row, 'preset'),
  invitedBy: maybeText(row, 'invited_by'),
  sealedReturn: maybeBytes(row, 'sealed_return'),
  madeAt: instant(row, 'made_at'),
  expiresAt: instant(row, 'expires_at'),
})

export function* find(tenant: TenantId, handle: Handle): Verb<InvitationRow | null> {
  const row = yield* first(sql`select * from invitations where tenant = ${tenant} and handle = ${handle}`)
  return row && invitationOf(row)
}

export function* byId(tenant: TenantId, id: string): Verb<InvitationRow | null> {
  const row = yield* first(sql`select * from invitations where tenant = ${tenant} and id = ${id}`)
  return row && invitationOf(row)
}

interface WaitingPage {
  readonly now: Instant
  readonly before: string
  readonly limit: number
}

export function* waiting(tenant: TenantId, { now, before, limit }: WaitingPage): Verb<readonly InvitationRow[]> {
  const rows = yield* all(sql`select * from invitations where tenant = ${tenant} and kind = 'invitation'
    and expires_at > ${now} and id < ${before} order by id desc limit ${limit}`)
  return rows.map(invitationOf)
}

export function* make(
  { invitation, mails, instead }: Omit<Parameters<InvitationStore['make']>[0], 'events'>,
  entries: readonly Entry[],
): Verb<'made' | 'gone'> {
  if (instead !== null) {
    const { tenant, id } = instead
    const asked = yield* changed(sql`delete from mails where tenant = ${tenant} and id = ${id}`)
    if (!asked) return 'gone'
  }
  if (invitation !== null) yield* replaceInvitation(invitation)
  yield* insertMails(mails)
  yield* log(entries)
  return 'made'
}

function* replaceInvitation(it: InvitationRow): Verb<void> {
  const key = emailKey(it.email)
  yield* run(sql`delete from invitations where tenant = ${it.tenant} and email_key = ${key} and kind = ${it.kind}`)
  yield* run(sql`insert into invitations (tenant, id, handle, kind, email, email_key, preset, invited_by, sealed_return,
      made_at, expires_at)
    values (${it.tenant}, ${it.id}, ${it.handle}, ${it.kind}, ${it.email}, ${key}, ${asText(it.preset)},
      ${it.invitedBy}, ${it.sealedReturn}, ${it.madeAt}, ${it.expiresAt})`)
}

export function* accept(
  { handle, user, groupIds = [], at }: Omit<Parameters<InvitationStore['accept']>[0], 'events'>,
  entries: readonly Entry[],
): Verb<'accepted' | 'gone' | 'exists'> {
  const { tenant } = user
  // Of two links to one address the second finds the account that the first has created.
  yield* lockSubjects()
  const used = yield* first(sql`delete from invitations
    where tenant = ${tenant} and handle = ${handle} and expires_at > ${at} returning email_key`)
  if (used === null) return 'gone'
  const key = text(used, 'email_key')
  const holder = yield* first(sql`select id from users where tenant = ${tenant}
    and (email_key = ${key} or username_key = ${normaliseUsername(key) ?? key}) limit 1`)
  if (holder !== null || (yield* users.create(user, entries)) !== 'created') {
    yield* undo()
    return 'exists'
  }
  yield* giveFirst(user, { groupIds })
  yield* run(sql`delete from invitations where tenant = ${tenant} and email_key = ${key}`)
  return 'accepted'
}

export function* revoke(tenant: TenantId, id: string, entries: readonly Entry[]): Verb<'revoked' | 'absent'> {
  const gone = yield* changed(sql`delete from invitations where tenant = ${tenant} and id = ${id}`)
  if (!gone) return 'absent'
  yield* log(entries)
  return 'revoked'
}
