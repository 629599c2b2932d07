/** The last step for a device or a CIBA request (RFC 8628 §3.3): it is approved or denied, and a page says so. */
import type { AskingDevice } from '@grantor/protocol/device'
import type { NewEvent } from '@grantor/protocol/events'
import type { Refusal } from '@grantor/protocol/oauth'
import type { Grant } from '@grantor/protocol/grants'
import { hearsOfLogout } from '@grantor/protocol/registration'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, Secret } from '@grantor/protocol/types'
import type { DeviceRow, Store } from '@grantor/store'
import { basisOf, type Directory } from '../directory.ts'
import { newEvent } from '../events.ts'
import type { InteractionState } from './interaction.ts'
import { displayedClient } from './display.ts'
import { consentGranted, newConsent, newGrant, type NewGrantDependencies, type RespondStep } from './new-grant.ts'
import type { InteractionResult } from './response.ts'
import { browserHandle, type Visitor } from './visitor.ts'

export type SettleDeviceDependencies = NewGrantDependencies & {
  readonly directory: Directory
  readonly store: Pick<Store, 'devices' | 'interactions'>
}

const gone = err<Refusal>({ reason: 'interaction_gone' })

export async function approveDevice(
  state: InteractionState & { readonly device: AskingDevice },
  step: RespondStep,
  deps: SettleDeviceDependencies,
): Promise<InteractionResult | 'stale'> {
  const { client, catalogue, row, device } = state
  // Remembered consent never answers for a device: without an approval in this interaction there is nothing to approve.
  if (state.progress.approval === null) return gone
  // The grant must outlive the time in which its device may still fetch the tokens.
  const { deviceTtl, backchannelTtl } = deps.policy
  const policy = { ...deps.policy, codeTtl: isByBackchannel(device) ? backchannelTtl : deviceTtl }
  const grant = newGrant(state, step, { ...deps, policy })
  const how = isByBackchannel(device) ? ('back_channel' as const) : ('device' as const)
  const consent = { ...newConsent(state, grant, deps), how }
  const outcome = await deps.store.devices.approve({
    basis: basisOf(catalogue, client),
    device: device.handle,
    grant,
    consent,
    interaction: row.handle,
    party: hearsOfLogout(client),
    at: deps.clock.now(),
    events: [consentGranted(state, consent, deps), ...decisionEvents(state, 'backchannel.approved', grant, deps)],
  })
  if (outcome === 'stale') return 'stale'
  return outcome === 'opened' ? ok(outcomeShown(state, 'approved')) : gone
}

export async function denyDevice(
  state: InteractionState & { readonly device: AskingDevice },
  deps: SettleDeviceDependencies,
): Promise<InteractionResult> {
  const { visitor, row, device } = state
  const denial = {
    tenant: visitor.tenant,
    device: device.handle,
    interaction: row.handle,
    at: deps.clock.now(),
    events: decisionEvents(state, 'backchannel.denied', null, deps),
  }
  const outcome = await deps.store.devices.deny(denial)
  return outcome === 'denied' ? ok(outcomeShown(state, 'denied')) : gone
}

const isByBackchannel = ({ backchannel }: AskingDevice): boolean => backchannel !== undefined

const outcomeShown = (
  { client, request, device }: InteractionState & { readonly device: AskingDevice },
  outcome: 'approved' | 'denied',
) => ({
  go: 'device' as const,
  outcome,
  client: displayedClient(client, request.redirectUri).name,
  backchannel: isByBackchannel(device),
})

/** The event of a CIBA request. A device needs none: its consent has one. */
function decisionEvents(
  { visitor, client, request, device }: InteractionState & { readonly device: AskingDevice },
  name: 'backchannel.approved' | 'backchannel.denied',
  grant: Grant | null,
  deps: SettleDeviceDependencies,
): readonly NewEvent[] {
  if (!isByBackchannel(device)) return []
  const subject = grant?.authentication.subject ?? request.subject
  return [
    newEvent(deps, visitor, name, {
      actor: { kind: 'user', id: subject },
      subject,
      clientId: client.id,
      grantId: grant?.id ?? null,
      scope: request.scope.join(' '),
    }),
  ]
}

/** How an interaction of a device ended, for the browser that it belongs to: people reload the last page. */
export async function settledDevice(
  interaction: Secret,
  visitor: Visitor,
  deps: SettleDeviceDependencies,
): Promise<InteractionResult> {
  const row = await deps.store.interactions.find(visitor.tenant, deps.ids.handleOf(interaction))
  if (row?.kind !== 'device' || row.browser !== browserHandle(visitor, deps.ids)) return gone
  const { device: asking, clientId } = row.request as unknown as { device: AskingDevice; clientId: string }
  const device = await deps.store.devices.find(visitor.tenant, asking.handle)
  const client = await deps.directory.currentClient(visitor.tenant, clientId)
  const outcome = outcomeOf(device, deps.clock.now())
  return outcome === null
    ? gone
    : ok({
        go: 'device',
        outcome,
        client: client === null ? clientId : displayedClient(client, '').name,
        backchannel: isByBackchannel(asking),
      })
}

/** Null where the device still waits: its code was typed again, and another interaction has claimed it. */
function outcomeOf(device: DeviceRow | null, now: Instant): 'approved' | 'denied' | 'expired' | null {
  if (device === null) return 'expired'
  if (device.approved) return 'approved'
  if (device.deniedAt !== null) return 'denied'
  return device.expiresAt <= now ? 'expired' : null
}
