/** A person's factors besides the password. */
import type { Factors } from '@grantor/protocol/authorize'
import { totpEnd, totpWindow } from '@grantor/protocol/people'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { Enrolment, FactorStore, PasskeyRow, Removal, TotpRow } from '../../contract/people/factors.ts'
import type { Proven } from '../../contract/people/sessions.ts'
import type { Entry } from '../entry.ts'
import { asText, bytes, instant, list, maybeInstant, number, text } from '../row.ts'
import { all, changed, changes, first, log, type Row, run, sql, undo, type Verb } from '../verb.ts'
import { stillProven } from './proof.ts'
import { hasWayIn } from './ways-in.ts'

type Use<N extends keyof FactorStore> = Parameters<FactorStore[N]>[0]

export function* of(tenant: TenantId, subject: string): Verb<Factors> {
  const row = yield* first(sql`select
    (select count(*) from totp_secrets where tenant = ${tenant} and subject = ${subject}) as otp,
    (select count(*) from passkeys where tenant = ${tenant} and subject = ${subject}) as passkeys,
    (select count(*) from recovery_codes where tenant = ${tenant} and subject = ${subject}) as codes`)
  if (row === null) throw new Error('a select without a table has one row')
  return { otp: number(row, 'otp') > 0, passkey: number(row, 'passkeys') > 0, recoveryCodes: number(row, 'codes') }
}

const passkeyOf = (row: Row): PasskeyRow => ({
  tenant: text(row, 'tenant') as TenantId,
  id: text(row, 'id'),
  subject: text(row, 'subject'),
  name: text(row, 'name'),
  publicKey: bytes(row, 'public_key'),
  counter: number(row, 'counter'),
  transports: list(row, 'transports'),
  synced: number(row, 'synced') === 1,
  createdAt: instant(row, 'created_at'),
  lastUsedAt: maybeInstant(row, 'last_used_at'),
})

export function* passkey(tenant: TenantId, id: string): Verb<PasskeyRow | null> {
  const row = yield* first(sql`select * from passkeys where tenant = ${tenant} and id = ${id}`)
  return row && passkeyOf(row)
}

export function* passkeys(tenant: TenantId, subject: string): Verb<readonly PasskeyRow[]> {
  const rows = yield* all(
    sql`select * from passkeys where tenant = ${tenant} and subject = ${subject} order by created_at, id`,
  )
  return rows.map(passkeyOf)
}

const totpOf = (row: Row): TotpRow => ({
  tenant: text(row, 'tenant') as TenantId,
  subject: text(row, 'subject'),
  sealedSecret: bytes(row, 'sealed_secret'),
  lastStep: number(row, 'last_step'),
  createdAt: instant(row, 'created_at'),
  lastUsedAt: maybeInstant(row, 'last_used_at'),
})

export function* totp(tenant: TenantId, subject: string): Verb<TotpRow | null> {
  const row = yield* first(sql`select * from totp_secrets where tenant = ${tenant} and subject = ${subject}`)
  return row && totpOf(row)
}

export function* totps(tenant: TenantId, after: string, limit: number): Verb<readonly TotpRow[]> {
  const rows = yield* all(sql`select * from totp_secrets where tenant = ${tenant} and subject > ${after}
    order by subject limit ${limit}`)
  return rows.map(totpOf)
}

/** Locks the person, so that removals of factors wait for concurrent changes. */
function* hold(tenant: TenantId, subject: string): Verb<void> {
  yield* run(sql`update users set version = version where tenant = ${tenant} and id = ${subject}`)
}

function* hasNone(tenant: TenantId, subject: string): Verb<boolean> {
  const { otp, passkey: key } = yield* of(tenant, subject)
  return !otp && !key
}

export function* addPasskey(
  it: PasskeyRow & Proven,
  recovery: readonly Handle[] | null,
  entries: readonly Entry[],
): Verb<Enrolment> {
  if (!(yield* stillProven(it))) return 'changed-meanwhile'
  const isFirst = yield* hasNone(it.tenant, it.subject)
  const added = yield* changed(sql`insert into passkeys
      (tenant, id, subject, name, public_key, counter, transports, synced, created_at, last_used_at)
    values (${it.tenant}, ${it.id}, ${it.subject}, ${it.name}, ${it.publicKey}, ${it.counter}, ${asText(it.transports)},
      ${it.synced ? 1 : 0}, ${it.createdAt}, ${it.lastUsedAt})
    on conflict (tenant, id) do nothing`)
  return yield* settled(added, { ...it, at: it.createdAt, isFirst, recovery }, entries)
}

export function* addTotp(
  it: TotpRow & Proven,
  recovery: readonly Handle[] | null,
  entries: readonly Entry[],
): Verb<Enrolment> {
  if (!(yield* stillProven(it))) return 'changed-meanwhile'
  const isFirst = yield* hasNone(it.tenant, it.subject)
  const added = yield* keepTotp(it)
  if (added) yield* spendStep({ ...it, step: it.lastStep })
  return yield* settled(added, { ...it, at: it.createdAt, isFirst, recovery }, entries)
}

export function* keepTotp(it: TotpRow): Verb<boolean> {
  return yield* changed(sql`insert into totp_secrets
      (tenant, subject, sealed_secret, last_step, created_at, last_used_at)
    values (${it.tenant}, ${it.subject}, ${it.sealedSecret}, ${it.lastStep}, ${it.createdAt}, ${it.lastUsedAt})
    on conflict (tenant, subject) do nothing`)
}

interface Codes {
  readonly tenant: TenantId
  readonly subject: string
  readonly at: Instant
  readonly recovery: readonly Handle[] | null
}

function* settled(
  added: boolean,
  codes: Codes & { readonly isFirst: boolean },
  entries: readonly Entry[],
): Verb<Enrolment> {
  // Of two concurrent first factors, the later would invalidate the recovery codes that are being shown for the
  // earlier.
  const asAssumed = codes.isFirst === (codes.recovery !== null)
  if (!added || !asAssumed) {
    yield* undo()
    return added ? 'changed-meanwhile' : 'exists'
  }
  yield* putCodes(codes)
  yield* log(entries)
  return 'added'
}

function* putCodes({ tenant, subject, at, recovery }: Codes): Verb<void> {
  if (recovery === null) return
  yield* run(sql`delete from recovery_codes where tenant = ${tenant} and subject = ${subject}`)
  for (const handle of recovery) {
    yield* run(sql`insert into recovery_codes (tenant, subject, handle, created_at)
      values (${tenant}, ${subject}, ${handle}, ${at})`)
  }
}

export function* remove(
  { tenant, subject, what, served }: Removal,
  entries: readonly Entry[],
): Verb<'removed' | 'absent' | 'last'> {
  yield* hold(tenant, subject)
  let gone = 0
  if (what === 'recovery_codes') {
    gone += yield* changes(sql`delete from recovery_codes where tenant = ${tenant} and subject = ${subject}`)
  }
  if (what === 'totp' || what === 'everything') {
    gone += yield* changes(sql`delete from totp_secrets where tenant = ${tenant} and subject = ${subject}`)
  }
  if (what === 'everything') {
    gone += yield* changes(sql`delete from passkeys where tenant = ${tenant} and subject = ${subject}`)
  }
  if (typeof what === 'object') {
    gone += yield* changes(sql`delete from passkeys
      where tenant = ${tenant} and subject = ${subject} and id = ${what.passkey}`)
  }
  if (gone === 0) {
    yield* undo()
    return 'absent'
  }
  if (served !== undefined && !(yield* hasWayIn(tenant, subject, { served }))) {
    yield* undo()
    return 'last'
  }
  if (what !== 'recovery_codes') yield* forgetBrowsers(tenant, subject)
  yield* run(sql`delete from recovery_codes where tenant = ${tenant} and subject = ${subject}
    and not exists (select 1 from totp_secrets t where t.tenant = ${tenant} and t.subject = ${subject})
    and not exists (select 1 from passkeys p where p.tenant = ${tenant} and p.subject = ${subject})`)
  yield* log(entries)
  return 'removed'
}

export function* replaceRecoveryCodes(
  { tenant, subject, passwordSeen, handles, at }: Use<'replaceRecoveryCodes'>,
  entries: readonly Entry[],
): Verb<'replaced' | 'no-factor' | 'outdated'> {
  // It also locks the person: of two concurrent replacements one remains.
  if (!(yield* stillProven({ tenant, subject, passwordSeen }))) return 'outdated'
  if (yield* hasNone(tenant, subject)) {
    yield* undo()
    return 'no-factor'
  }
  yield* putCodes({ tenant, subject, at, recovery: handles })
  yield* log(entries)
  return 'replaced'
}

export function* useTotp(it: Use<'useTotp'>): Verb<'used' | 'already-used'> {
  const used = yield* changed(sql`update totp_secrets set last_step = ${it.step}, last_used_at = ${it.at}
    where tenant = ${it.tenant} and subject = ${it.subject} and created_at = ${it.createdAt}
      and (last_step < ${it.step} or last_step > ${it.step + totpWindow})`)
  if (used && (yield* spendStep(it))) return 'used'
  yield* undo()
  return 'already-used'
}

/** Each step is marked by itself: after a clock that was ahead, the last step is not the highest. */
function* spendStep({ tenant, subject, step, createdAt }: Omit<Use<'useTotp'>, 'at'>): Verb<boolean> {
  const handle = `totp ${subject} ${createdAt} ${step}`
  return yield* changed(sql`insert into used_proofs (tenant, handle, expires_at)
    values (${tenant}, ${handle}, ${totpEnd(step)}) on conflict (tenant, handle) do nothing`)
}

export function* usePasskey({ tenant, id, counter, at }: Use<'usePasskey'>): Verb<'used' | 'regressed'> {
  // WebAuthn §6.1.1: an authenticator without a counter always reports 0.
  const above = counter === 0 ? 1 : counter
  return (yield* changed(sql`update passkeys set counter = ${counter}, last_used_at = ${at}
    where tenant = ${tenant} and id = ${id} and counter < ${above}`))
    ? 'used'
    : 'regressed'
}

export function* useRecoveryCode(
  { tenant, subject, handle }: Use<'useRecoveryCode'>,
  entries: readonly Entry[],
): Verb<'used' | 'already-used'> {
  const used = yield* changed(sql`delete from recovery_codes
    where tenant = ${tenant} and subject = ${subject} and handle = ${handle}`)
  if (!used) return 'already-used'
  yield* log(entries)
  return 'used'
}

export function* forgetBrowsers(tenant: TenantId, subject: string): Verb<void> {
  yield* run(sql`delete from remembered_browsers where tenant = ${tenant} and subject = ${subject}`)
}
