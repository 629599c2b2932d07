/**
 * Invalidates mailed links when their basis changes: the person's address, or the password that a link was to replace.
 * Sign-in links depend on both.
 */
import { emailKey } from '@grantor/protocol/people'
import type { JsonObject } from '@grantor/protocol/types'
import type { UserChange } from '../../../contract/people/users.ts'
import { run, sql, type Verb } from '../../verb.ts'

export const emailIn = ({ email }: JsonObject): string | null => (typeof email === 'string' ? emailKey(email) : null)

export function* dropLinks(
  { tenant, id }: Pick<UserChange, 'tenant' | 'id'>,
  purposes: readonly ('reset' | 'address')[],
): Verb<void> {
  for (const purpose of purposes) {
    yield* run(sql`delete from mailed_links where tenant = ${tenant} and subject = ${id} and purpose = ${purpose}`)
  }
  yield* run(sql`delete from sign_in_links where tenant = ${tenant} and subject = ${id}`)
}
