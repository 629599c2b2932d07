/** Used client assertions: the row is the proof of use, and whoever inserts it was first. */
import type { SpentAssertion } from '../../contract/clients/assertions.ts'
import { useProof } from '../tokens/used-proofs.ts'
import { changed, sql, undo, type Verb } from '../verb.ts'

export function* spend(assertion: SpentAssertion): Verb<'spent' | 'already-spent' | 'proof-used'> {
  const { tenant, proof = null } = assertion
  const spent = yield* changed(sql`insert into assertions (tenant, client, handle, expires_at)
    values (${tenant}, ${assertion.clientId}, ${assertion.handle}, ${assertion.expiresAt})
    on conflict (tenant, client, handle) do nothing`)
  if (!spent) return 'already-spent'
  if (proof === null || (yield* useProof(tenant, proof))) return 'spent'
  yield* undo()
  return 'proof-used'
}
