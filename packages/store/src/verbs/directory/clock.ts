/**
 * The directory's clock. Every change of the directory takes the next tick first and stamps with it what it changes.
 * The row stays locked until the commit, so ticks become visible in order and a polling watcher misses none; and a tick
 * is never reused, so a client that was deleted and created again cannot be mistaken for the old one (see Basis).
 */
import type { TenantId } from '@grantor/protocol/types'
import { number } from '../row.ts'
import { changed, first, lookup, run, sql, type Verb } from '../verb.ts'

export function* tick(): Verb<number> {
  const row = yield* first(sql`update deployment set clock = clock + 1 where one = 1 returning clock`)
  if (row === null) throw new Error('the deployment row is missing')
  return number(row, 'clock')
}

/**
 * Takes the same lock without a tick, for a verb that takes a name which the directory must not assign concurrently.
 */
export function* lockSubjects(): Verb<void> {
  yield* run(sql`update deployment set clock = clock where one = 1`)
}

/** Takes a tick of which watchers are informed. */
export function* tickOf(tenant: TenantId): Verb<number> {
  const clock = yield* tick()
  yield* run(sql`insert into directory_changes (tenant, clock) values (${tenant}, ${clock})
    on conflict (tenant) do update set clock = excluded.clock`)
  return clock
}

/** Stamps the tenant: decisions that rested on its earlier revision are stale. False if it does not exist. */
export function* revise(tenant: TenantId, clock: number): Verb<boolean> {
  return yield* changed(sql`update tenants set revision = ${clock} where id = ${tenant}`)
}

/** Stamps every tenant, which makes all earlier decisions stale, on every node. */
export function* reviseAll(): Verb<void> {
  const clock = yield* tick()
  yield* run(sql`update tenants set revision = ${clock}`)
  yield* run(sql`insert into directory_changes (tenant, clock) select id, ${clock} from tenants where true
    on conflict (tenant) do update set clock = excluded.clock`)
}

/** Tenants changed after `clock`, in the order of their last change. */
export function* changedSince(clock: number): Verb<readonly { readonly tenant: TenantId; readonly clock: number }[]> {
  const rows = yield sql`select tenant, clock from directory_changes where clock > ${clock} order by clock limit 1000`
  return rows.map((row) => ({ tenant: row['tenant'] as TenantId, clock: number(row, 'clock') }))
}

export function* stampOf(tenant: TenantId): Verb<number | null> {
  const row = yield* first(lookup`select clock from directory_changes where tenant = ${tenant}`)
  return row && number(row, 'clock')
}
