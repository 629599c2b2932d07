/** Used DPoP proofs: the row is the proof of use, and whoever inserts it was first. */
import type { TenantId } from '@grantor/protocol/types'
import type { UsedProof } from '../../contract/tokens/used-proof.ts'
import { changed, sql, type Verb } from '../verb.ts'

export function* useProof(tenant: TenantId, { handle, expiresAt }: UsedProof): Verb<boolean> {
  return yield* changed(sql`insert into used_proofs (tenant, handle, expires_at)
    values (${tenant}, ${handle}, ${expiresAt}) on conflict (tenant, handle) do nothing`)
}
