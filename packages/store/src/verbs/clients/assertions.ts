/** Client assertions: the row is the proof of use, and who inserts it was first. */
import type { SpentAssertion } from '../../contract/clients/assertions.ts'
import { first, sql, type Verb } from '../verb.ts'

export function* spend({ tenant, clientId, handle, expiresAt }: SpentAssertion): Verb<'spent' | 'already-spent'> {
  const spent = yield* first(sql`insert into assertions (tenant, client, handle, expires_at)
    values (${tenant}, ${clientId}, ${handle}, ${expiresAt})
    on conflict (tenant, client, handle) do nothing returning handle`)
  return spent === null ? 'already-spent' : 'spent'
}
