/** The last step where a device asked (RFC 8628 §3.3): the code is approved or denied, and a page says so. */
import type { Step } from '@grantor/protocol/authorize'
import type { AskingDevice } from '@grantor/protocol/device'
import { hearsOfLogout } from '@grantor/protocol/registration'
import type { Instant, Secret } from '@grantor/protocol/types'
import type { DeviceRow } from '@grantor/store'
import { basisOf } from '../directory.ts'
import type { Hands } from '../hands.ts'
import type { Place } from './interaction.ts'
import { consentGranted, consentOf, grantOf } from './issue-code.ts'
import { shownClient } from './display.ts'
import type { Shown } from './response.ts'
import { browserHandle, type Visitor } from './visitor.ts'

type Respond = Extract<Step, { go: 'respond' }>

const gone: Shown = { go: 'error', refusal: { reason: 'interaction_gone' } }

export async function approveDevice(
  place: Place & { readonly device: AskingDevice },
  step: Respond,
  hands: Hands,
): Promise<Shown | 'stale'> {
  const { client, catalogue, row, device } = place
  // Remembered consent never answers for a device: without an approval given just now there is nothing to approve.
  if (place.progress.approval === null) return gone
  // A grant must outlive the time in which its device may still fetch what it was given.
  const policy = { ...hands.policy, codeTtl: hands.policy.deviceTtl }
  const grant = grantOf(place, step, { ...hands, policy })
  const consent = { ...consentOf(place, grant, hands), how: 'device' as const }
  const outcome = await hands.store.devices.approve({
    basis: basisOf(catalogue, client),
    device: device.handle,
    grant,
    consent,
    interaction: row.handle,
    party: hearsOfLogout(client),
    at: hands.now(),
    events: [consentGranted(place, consent, hands)],
  })
  if (outcome === 'stale') return 'stale'
  return outcome === 'opened' ? { go: 'device', outcome: 'approved', client: nameOf(place) } : gone
}

export async function denyDevice(place: Place & { readonly device: AskingDevice }, hands: Hands): Promise<Shown> {
  const { visitor, row, device } = place
  const denial = { tenant: visitor.tenant, device: device.handle, interaction: row.handle, at: hands.now(), events: [] }
  const outcome = await hands.store.devices.deny(denial)
  return outcome === 'denied' ? { go: 'device', outcome: 'denied', client: nameOf(place) } : gone
}

const nameOf = ({ client, request }: Place): string => shownClient(client, request.redirectUri).name

/** An interaction of a device that is over says how it ended, to the browser it belongs to: a page may be loaded again. */
export async function settledDevice(interaction: Secret, visitor: Visitor, hands: Hands): Promise<Shown> {
  const row = await hands.store.interactions.find(visitor.tenant, hands.handleOf(interaction))
  if (row?.kind !== 'device' || row.browser !== browserHandle(visitor, hands)) return gone
  const { device: asking, clientId } = row.request as unknown as { device: AskingDevice; clientId: string }
  const device = await hands.store.devices.find(visitor.tenant, asking.handle)
  const client = await hands.directory.clientNow(visitor.tenant, clientId)
  const outcome = outcomeOf(device, hands.now())
  return outcome === null
    ? gone
    : { go: 'device', outcome, client: client === null ? clientId : shownClient(client, '').name }
}

/** Null where it still waits: its code was typed again, and another interaction has it. */
function outcomeOf(device: DeviceRow | null, now: Instant): 'approved' | 'denied' | 'expired' | null {
  if (device === null) return 'expired'
  if (device.approved) return 'approved'
  if (device.deniedAt !== null) return 'denied'
  return device.expiresAt <= now ? 'expired' : null
}
