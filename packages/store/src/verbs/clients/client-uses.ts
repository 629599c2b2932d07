/** When clients last received a token. */
import type { ClientUse } from '../../contract/clients/clients.ts'
import { run, sql, type Verb } from '../verb.ts'

/** In a fixed order, so that two nodes that do this at once do not deadlock. No time goes back. */
export function* noteUses(uses: readonly ClientUse[]): Verb<void> {
  const keyOf = ({ tenant, id }: ClientUse): string => `${tenant} ${id}`
  for (const { tenant, id, at } of uses.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)))
    yield* run(sql`insert into client_uses (tenant, client_id, last_used_at)
      select c.tenant, c.id, cast(${at} as bigint) from clients c where c.tenant = ${tenant} and c.id = ${id}
      on conflict (tenant, client_id) do update set last_used_at = excluded.last_used_at
        where client_uses.last_used_at < excluded.last_used_at`)
}
