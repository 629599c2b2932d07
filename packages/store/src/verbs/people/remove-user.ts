/** Removes an account: the person with their sign-in methods, grants and consents. */
import type { UserRemoval } from '../../contract/people/users.ts'
import type { Entry } from '../entry.ts'
import { forgetWhereDisabled } from '../outgoing/stream-subjects.ts'
import { endGrantsOf } from '../tokens/ended-grants.ts'
import { maybeText } from '../row.ts'
import { first, log, run, sql, type Verb } from '../verb.ts'
import { isLastOwner } from './last-owner.ts'
import { endSessions } from './users.ts'

export function* remove(
  it: UserRemoval,
  entries: readonly Entry[],
): Verb<'removed' | 'changed-meanwhile' | 'absent' | 'last-owner'> {
  const { tenant, id, version, by, at } = it
  if (yield* isLastOwner(tenant, id)) return 'last-owner'
  const gone = yield* first(sql`delete from users
    where tenant = ${tenant} and id = ${id} and version = ${version} returning email_key`)
  if (gone === null) {
    const there = yield* first(sql`select id from users where tenant = ${tenant} and id = ${id}`)
    return there === null ? 'absent' : 'changed-meanwhile'
  }
  yield* endSessions(it, null)
  yield* endGrantsOf({ tenant, subject: id, at })
  // Consent records stay, as withdrawn: they name a subject that no person has any more.
  yield* run(sql`update consents set revoked_at = ${at}, revoked_by = ${by}
    where tenant = ${tenant} and subject = ${id} and revoked_at is null`)
  yield* run(sql`delete from passkeys where tenant = ${tenant} and subject = ${id}`)
  yield* run(sql`delete from totp_secrets where tenant = ${tenant} and subject = ${id}`)
  yield* run(sql`delete from recovery_codes where tenant = ${tenant} and subject = ${id}`)
  yield* run(sql`delete from remembered_browsers where tenant = ${tenant} and subject = ${id}`)
  yield* run(sql`delete from identities where tenant = ${tenant} and subject = ${id}`)
  yield* run(sql`delete from mailed_links where tenant = ${tenant} and subject = ${id}`)
  yield* run(sql`delete from sign_in_links where tenant = ${tenant} and subject = ${id}`)
  yield* run(
    sql`delete from invitations where tenant = ${tenant} and email_key = ${maybeText(gone, 'email_key') ?? ''}`,
  )
  yield* run(sql`delete from backchannel_user_codes where tenant = ${tenant} and subject = ${id}`)
  yield* run(sql`delete from mails where tenant = ${tenant} and subject = ${id}`)
  yield* run(sql`delete from locks where tenant = ${tenant} and kind = 'user' and held_by = ${id}`)
  // Other streams still need the receiver's name of the person to report the removal.
  yield* forgetWhereDisabled({ tenant, subject: id })
  // The address and device of a sign-in are personal data; that it happened is not.
  yield* run(sql`update sessions set ip = null, user_agent = null where tenant = ${tenant} and subject = ${id}`)
  yield* log(entries)
  return 'removed'
}
