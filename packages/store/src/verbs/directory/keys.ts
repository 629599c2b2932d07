/** Signing keys of a tenant, private halves sealed. */
import type { KeyRecord, SigningAlg } from '@grantor/protocol/jose'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { Resealed } from '../../contract/directory/keys.ts'
import type { Entry } from '../entry.ts'
import { asText, bytes, instant, json, maybeInstant, number, text } from '../row.ts'
import { all, changed, changes, first, log, type Row, sql, type Statement, undo, type Verb } from '../verb.ts'
import { revise, tickOf } from './clock.ts'

export function* list(tenant: TenantId): Verb<readonly KeyRecord[]> {
  const rows = yield* all(sql`select * from keys where tenant = ${tenant} order by published_at, alg, generation`)
  return rows.map(keyOf)
}

const keyOf = (row: Row): KeyRecord => ({
  tenant: text(row, 'tenant') as TenantId,
  kid: text(row, 'kid'),
  alg: text(row, 'alg') as SigningAlg,
  generation: number(row, 'generation'),
  publishedAt: instant(row, 'published_at'),
  activatesAt: instant(row, 'activates_at'),
  notedActiveAt: maybeInstant(row, 'noted_active_at'),
  droppedAt: maybeInstant(row, 'dropped_at'),
  publicJwk: json(row, 'public_jwk'),
  sealedPrivate: bytes(row, 'sealed_private'),
})

export function* add(key: KeyRecord, entries: readonly Entry[]): Verb<'added' | 'exists' | 'no-tenant'> {
  const clock = yield* tickOf(key.tenant)
  if (!(yield* revise(key.tenant, clock))) {
    yield* undo()
    return 'no-tenant'
  }
  const { tenant, kid, alg, generation, publishedAt, activatesAt, notedActiveAt, droppedAt } = key
  const added = yield* changed(sql`insert into keys (tenant, kid, alg, generation, published_at, activates_at,
      noted_active_at, dropped_at, public_jwk, sealed_private)
    values (${tenant}, ${kid}, ${alg}, ${generation}, ${publishedAt}, ${activatesAt},
      ${notedActiveAt}, ${droppedAt}, ${asText(key.publicJwk)}, ${key.sealedPrivate})
    on conflict (tenant, alg, generation) do nothing`)
  if (!added) {
    yield* undo()
    return 'exists'
  }
  yield* log(entries)
  return 'added'
}

export function* activate(
  { tenant, kid, activatesAt }: Pick<KeyRecord, 'tenant' | 'kid' | 'activatesAt'>,
  entries: readonly Entry[],
): Verb<'moved' | 'absent'> {
  const clock = yield* tickOf(tenant)
  const moved = yield* changed(sql`update keys set activates_at = ${activatesAt}, noted_active_at = ${activatesAt}
    where tenant = ${tenant} and kid = ${kid} and dropped_at is null and noted_active_at is null`)
  if (!moved) {
    yield* undo()
    return 'absent'
  }
  yield* revise(tenant, clock)
  yield* log(entries)
  return 'moved'
}

/** No new revision: which key signs follows from its times, which did not change. */
export function* noteActive(
  { tenant, kid, at }: { readonly tenant: TenantId; readonly kid: string; readonly at: Instant },
  entries: readonly Entry[],
): Verb<'noted' | 'already-noted'> {
  const noted = yield* changed(sql`update keys set noted_active_at = ${at}
    where tenant = ${tenant} and kid = ${kid} and noted_active_at is null and dropped_at is null`)
  if (!noted) return 'already-noted'
  yield* log(entries)
  return 'noted'
}

export function* drop(
  { tenant, kid, at }: { readonly tenant: TenantId; readonly kid: string; readonly at: Instant },
  entries: readonly Entry[],
): Verb<'dropped' | 'absent'> {
  const clock = yield* tickOf(tenant)
  const dropped = yield* changed(sql`update keys set dropped_at = ${at}
    where tenant = ${tenant} and kid = ${kid} and dropped_at is null`)
  if (!dropped) {
    yield* undo()
    return 'absent'
  }
  yield* revise(tenant, clock)
  yield* log(entries)
  return 'dropped'
}

export function* forget(tenant: TenantId, kids: readonly string[], entries: readonly Entry[]): Verb<void> {
  const clock = yield* tickOf(tenant)
  let gone = 0
  for (const kid of kids) {
    gone += yield* changes(sql`delete from keys where tenant = ${tenant} and kid = ${kid}`)
  }
  if (gone === 0) {
    yield* undo()
    return
  }
  yield* revise(tenant, clock)
  yield* log(entries)
}

export function* auditKey(): Verb<Uint8Array> {
  const row = yield* first(sql`select audit_key from deployment where one = 1`)
  if (row === null) throw new Error('the deployment row is missing')
  return bytes(row, 'audit_key')
}

function resealing(which: Resealed['which'], from: Uint8Array, to: Uint8Array): Statement {
  if (which === 'audit-key') {
    return sql`update deployment set audit_key = ${to} where one = 1 and audit_key = ${from}`
  }
  const { tenant } = which
  if ('receiver' in which)
    return which.secret === 'current'
      ? sql`update event_receivers set sealed_secret = ${to}
          where tenant = ${tenant} and id = ${which.receiver} and sealed_secret = ${from}`
      : sql`update event_receivers set sealed_previous = ${to}
          where tenant = ${tenant} and id = ${which.receiver} and sealed_previous = ${from}`
  if ('mail' in which)
    return sql`update mails set sealed = ${to} where tenant = ${tenant} and id = ${which.mail} and sealed = ${from}`
  return 'kid' in which
    ? sql`update keys set sealed_private = ${to}
        where tenant = ${tenant} and kid = ${which.kid} and sealed_private = ${from}`
    : sql`update totp_secrets set sealed_secret = ${to}
        where tenant = ${tenant} and subject = ${which.totpOf} and sealed_secret = ${from}`
}

/** No new revision: the keys are the same, only sealed anew. */
export function* rewrap(
  secrets: readonly Resealed[],
  entries: readonly Entry[],
): Verb<'rewrapped' | 'changed-meanwhile'> {
  for (const { which, from, to } of secrets) {
    const rewrapped = yield* changed(resealing(which, from, to))
    if (!rewrapped) {
      yield* undo()
      return 'changed-meanwhile'
    }
  }
  yield* log(entries)
  return 'rewrapped'
}
