/** Device codes that wait for a person to type, approve or deny them. */
import type { DeviceFacts } from '@grantor/protocol/grants'
import type { GrantId, Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { Basis } from '../../contract/directory/basis.ts'
import type { InteractionRow } from '../../contract/people/interactions.ts'
import type { DeviceRow, DeviceSearch, DeviceStore, NewDevice } from '../../contract/tokens/devices.ts'
import { basisHolds, useBasis } from '../directory/basis.ts'
import type { Entry } from '../entry.ts'
import { joinParty } from '../outgoing/deliveries.ts'
import { closeStoredInteraction, openInteraction } from '../people/interactions.ts'
import { asText, bytes, instant, json, maybeInstant, maybeText, number, text } from '../row.ts'
import { all, changed, first, log, lookup, type Row, run, sql, undo, type Verb } from '../verb.ts'
import { insertConsent } from './consents.ts'
import { find as findGrant, insertGrant, partyOf, sessionEnded } from './grants.ts'

export function* openDevice(device: NewDevice, basis: Basis): Verb<'opened' | 'taken' | 'stale'> {
  if (!(yield* basisHolds(basis))) return 'stale'
  return (yield* changed(sql`insert into device_codes (tenant, handle, user_code, client_id, request, ip, user_agent,
      asked_at, expires_at, poll_interval, salt)
    values (${device.tenant}, ${device.handle}, ${device.userCode}, ${device.clientId}, ${asText(device.request)}, ${device.ip}, ${device.userAgent},
      ${device.askedAt}, ${device.expiresAt}, ${device.interval}, ${device.salt})
    on conflict (tenant, user_code) do nothing`))
    ? 'opened'
    : 'taken'
}

const deviceOf = (row: Row): DeviceRow => ({
  tenant: text(row, 'tenant') as TenantId,
  handle: text(row, 'handle') as Handle,
  userCode: text(row, 'user_code') as Handle,
  clientId: text(row, 'client_id'),
  request: json(row, 'request'),
  ip: maybeText(row, 'ip'),
  userAgent: maybeText(row, 'user_agent'),
  askedAt: instant(row, 'asked_at'),
  expiresAt: instant(row, 'expires_at'),
  interval: number(row, 'poll_interval'),
  salt: bytes(row, 'salt'),
  browser: maybeText(row, 'browser') as Handle | null,
  deniedAt: maybeInstant(row, 'denied_at'),
  approved: row['grant_id'] !== null,
})

export function* find(tenant: TenantId, handle: Handle): Verb<DeviceRow | null> {
  const row = yield* first(lookup`select * from device_codes where tenant = ${tenant} and handle = ${handle}`)
  return row && deviceOf(row)
}

export function* byUserCode(tenant: TenantId, userCode: Handle): Verb<DeviceRow | null> {
  const row = yield* first(sql`select * from device_codes where tenant = ${tenant} and user_code = ${userCode}`)
  return row && deviceOf(row)
}

/** The facts of a poll: one read while nobody has decided, as for most polls. */
export function* polled(tenant: TenantId, handle: Handle): Verb<Omit<DeviceFacts, 'polledAt'> | null> {
  const row = yield* first(lookup`select d.*, n.spent_at as successor_spent_at from device_codes d
    left join refresh_tokens n on n.tenant = d.tenant and n.handle = d.successor
    where d.tenant = ${tenant} and d.handle = ${handle}`)
  if (row === null) return null
  const grantId = maybeText(row, 'grant_id')
  return {
    ...(row['backchannel'] === null ? {} : { backchannel: true as const }),
    clientId: text(row, 'client_id'),
    expiresAt: instant(row, 'expires_at'),
    interval: number(row, 'poll_interval'),
    deniedAt: maybeInstant(row, 'denied_at'),
    grant: grantId === null ? null : yield* findGrant(tenant, grantId as GrantId),
    redeemedAt: maybeInstant(row, 'redeemed_at'),
    spentFor: maybeText(row, 'spent_for'),
    successorSpentAt: maybeInstant(row, 'successor_spent_at'),
    salt: bytes(row, 'salt'),
  }
}

/** The guard is in the WHERE: of two browsers that type one code at once, one gets it. */
export function* claim(device: Handle, interaction: InteractionRow): Verb<'claimed' | 'gone'> {
  yield* run(sql`update interactions set closed_at = ${interaction.openedAt}
    where tenant = ${interaction.tenant} and closed_at is null and handle = (select d.interaction from device_codes d
      where d.tenant = ${interaction.tenant} and d.handle = ${device} and d.browser = ${interaction.browser})`)
  const claimed =
    yield* changed(sql`update device_codes set browser = ${interaction.browser}, interaction = ${interaction.handle}
    where tenant = ${interaction.tenant} and handle = ${device} and expires_at > ${interaction.openedAt}
      and denied_at is null and grant_id is null and backchannel is null and (browser is null or browser = ${interaction.browser})`)
  if (!claimed) {
    yield* undo()
    return 'gone'
  }
  yield* openInteraction(interaction)
  return 'claimed'
}

export type Approval = Omit<Parameters<DeviceStore['approve']>[0], 'events'>

export function* approve(approval: Approval, entries: readonly Entry[]): Verb<'opened' | 'stale' | 'already-closed'> {
  const { tenant } = approval.basis
  if (!(yield* useBasis(approval.basis))) return 'stale'
  if (yield* sessionEnded(approval.grant)) {
    yield* undo()
    return 'stale'
  }
  const mine = yield* changed(sql`update device_codes
    set grant_id = ${approval.grant.id}, notify_at = case when notification is null then null else cast(${approval.at} as bigint) end
    where tenant = ${tenant} and handle = ${approval.device} and interaction = ${approval.interaction}
      and expires_at > ${approval.at} and denied_at is null and grant_id is null`)
  if (!mine || (yield* closeStoredInteraction(tenant, approval.interaction, approval.at)) === 'already-closed') {
    yield* undo()
    return 'already-closed'
  }
  yield* insertGrant(tenant, approval.grant)
  if (approval.consent !== null) yield* insertConsent(approval.consent)
  if (approval.party) yield* joinParty(approval.grant.authentication.sessionId, tenant, partyOf(approval.grant))
  yield* log(entries)
  return 'opened'
}

export type Denial = Omit<Parameters<DeviceStore['deny']>[0], 'events'>

export function* deny(denial: Denial, entries: readonly Entry[]): Verb<'denied' | 'already-closed'> {
  const mine = yield* changed(sql`update device_codes
    set denied_at = ${denial.at}, notify_at = case when notification is null then null else cast(${denial.at} as bigint) end
    where tenant = ${denial.tenant} and handle = ${denial.device} and interaction = ${denial.interaction}
      and denied_at is null and grant_id is null`)
  if (!mine || (yield* closeStoredInteraction(denial.tenant, denial.interaction, denial.at)) === 'already-closed') {
    yield* undo()
    return 'already-closed'
  }
  yield* log(entries)
  return 'denied'
}

export function* pending(
  tenant: TenantId,
  now: Instant,
  { clientId, before, limit }: DeviceSearch,
): Verb<readonly DeviceRow[]> {
  const from = before ?? { askedAt: Number.MAX_SAFE_INTEGER, handle: '' }
  const rows = yield* all(
    clientId === null
      ? sql`select * from device_codes where tenant = ${tenant} and (asked_at, handle) < (${from.askedAt}, ${from.handle})
          and expires_at > ${now} and denied_at is null and grant_id is null and backchannel is null
          order by asked_at desc, handle desc limit ${limit}`
      : sql`select * from device_codes where tenant = ${tenant} and client_id = ${clientId}
            and (asked_at, handle) < (${from.askedAt}, ${from.handle})
          and expires_at > ${now} and denied_at is null and grant_id is null and backchannel is null
          order by asked_at desc, handle desc limit ${limit}`,
  )
  return rows.map(deviceOf)
}

export type DeviceRefusal = Omit<Parameters<DeviceStore['refuse']>[0], 'events'>

export function* refuse(refusal: DeviceRefusal, entries: readonly Entry[]): Verb<'denied' | 'absent'> {
  const row = yield* first(sql`update device_codes set denied_at = ${refusal.at}
    where tenant = ${refusal.tenant} and handle = ${refusal.device} and expires_at > ${refusal.at}
      and denied_at is null and grant_id is null and backchannel is null returning interaction`)
  if (row === null) return 'absent'
  const interaction = maybeText(row, 'interaction')
  if (interaction !== null) yield* closeStoredInteraction(refusal.tenant, interaction as Handle, refusal.at)
  yield* log(entries)
  return 'denied'
}

export function* slowDown(
  tenant: TenantId,
  device: Handle,
  { by, most }: { readonly by: number; readonly most: number },
): Verb<void> {
  yield* run(sql`update device_codes set poll_interval = poll_interval + ${by}
    where tenant = ${tenant} and handle = ${device} and poll_interval + ${by} <= ${most}`)
}
