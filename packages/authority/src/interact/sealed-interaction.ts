/**
 * An interaction in which nobody has done anything yet is kept by the browser: all of it is sealed into its own secret,
 * so that a request, which any stranger can make, stores nothing. The first fact that a person records creates a row.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { noInteractionProgress } from '@grantor/protocol/authorize'
import { type Policy, secretPrefix } from '@grantor/protocol/oauth'
import {
  type Handle,
  type Instant,
  type JsonObject,
  mostSkew,
  type Secret,
  type TenantId,
} from '@grantor/protocol/types'
import type { InteractionRow, Store } from '@grantor/store'
import { referredRequest } from '../authorize/pushed-request.ts'
import type { Clock, Ids } from '../ports/environment.ts'
import type { Vault } from '../ports/vault.ts'

export interface SealedInteractionDependencies {
  readonly clock: Clock
  readonly ids: Pick<Ids, 'handleOf'>
  readonly policy: Pick<Policy, 'interactionTtl'>
  readonly vault: Vault
  readonly store: Pick<Store, 'interactions' | 'pushedRequests'>
}

interface InteractionOpening {
  readonly tenant: TenantId
  readonly kind: 'authorize' | 'logout'
  readonly browser: Handle
  readonly request: JsonObject
}

/** The secret is part of every page address of the interaction, and an address has at most 8 KiB. */
export const longestInteraction = 6144

const contextOf = (tenant: TenantId): string => `interaction ${tenant}`

const secretOf = (sealed: Uint8Array): string =>
  `${secretPrefix.interaction}${Buffer.from(sealed).toString('base64url')}`

/** Seals an interaction; null where its request is too long for that. */
export function sealInteraction(
  { tenant, kind, browser, request }: InteractionOpening,
  { clock, policy, vault }: Pick<SealedInteractionDependencies, 'clock' | 'policy' | 'vault'>,
): Secret | null {
  const now = clock.now()
  const content: SealedContent = [kind, browser, now, (now + policy.interactionTtl * 1000) as Instant, request]
  const sealed = vault.sealShortLived(deflateRawSync(JSON.stringify(content)), contextOf(tenant))
  const secret = secretOf(sealed)
  return secret.length > longestInteraction ? null : (secret as Secret)
}

type SealedContent = [InteractionOpening['kind'], Handle, openedAt: Instant, expiresAt: Instant, JsonObject]

/** The sealed request together with its progress in the store. The request of a device is in the store, too. */
export async function findInteraction(
  secret: Secret,
  tenant: TenantId,
  deps: SealedInteractionDependencies,
): Promise<InteractionRow | null> {
  const row = await unsealedInteraction(secret, tenant, deps)
  // The opening lies in the future because the clock was set back since: no sign-in would ever count as newer than it.
  return row !== null && row.openedAt > deps.clock.now() + mostSkew ? null : row
}

async function unsealedInteraction(
  secret: Secret,
  tenant: TenantId,
  { ids, vault, store }: SealedInteractionDependencies,
): Promise<InteractionRow | null> {
  const handle = ids.handleOf(secret)
  const row = await store.interactions.find(tenant, handle)
  const sealed = Buffer.from(secret.slice(secretPrefix.interaction.length), 'base64url')
  // Other base64url spellings of the same bytes are refused: each would be a new interaction, without progress and
  // never closed.
  const opened = secretOf(sealed) === secret ? vault.open(sealed, contextOf(tenant)) : null
  if (opened === null) return row
  const [kind, browser, openedAt, expiresAt, carried] = JSON.parse(inflateRawSync(opened).toString()) as SealedContent
  const referred = await referredRequest(carried, tenant, { store })
  // A pushed request is answered once, by whichever of its interactions comes first.
  if (referred === null || referred.used) return null
  return {
    ...(row ?? { progress: noInteractionProgress, closedAt: null, version: 1 }),
    tenant,
    handle,
    kind,
    browser,
    openedAt,
    expiresAt,
    request: referred.request,
  }
}

/** The row as stored: without the request, which stays in the secret. */
export const keptInteraction = (row: InteractionRow): InteractionRow =>
  row.kind === 'device' ? row : { ...row, request: {} }
