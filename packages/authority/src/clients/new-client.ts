/** The rows of a new client, and whether it has a secret. */
import type { ClientMetadata } from '@grantor/protocol/registration'
import type { Instant, Secret } from '@grantor/protocol/types'
import type { ClientSecretRow, NewClient } from '@grantor/store'
import type { Clock, Ids } from '../ports/environment.ts'

export const usesSecret = (metadata: ClientMetadata): boolean =>
  metadata.token_endpoint_auth_method === 'client_secret_basic' ||
  metadata.token_endpoint_auth_method === 'client_secret_post'

/** The chosen secret, or a new one; null where the client uses none. */
export const secretFor = (
  metadata: ClientMetadata,
  chosen: string | undefined,
  ids: Pick<Ids, 'secret'>,
): Secret | null => {
  if (!usesSecret(metadata)) return null
  return chosen === undefined ? ids.secret('gs_') : (chosen as Secret)
}

export const secretRow = (secret: Secret, now: Instant, { handleOf }: Pick<Ids, 'handleOf'>): ClientSecretRow => ({
  handle: handleOf(secret),
  createdAt: now,
  expiresAt: null,
})

interface ClientToMake extends Pick<NewClient, 'tenant' | 'id' | 'metadata' | 'origin'> {
  readonly secret: Secret | null
  /** Whether the client is created disabled. */
  readonly disabled?: boolean
}

export interface NewClientDependencies {
  readonly clock: Clock
  readonly ids: Pick<Ids, 'handleOf'>
}

export function newClient(
  { secret, disabled = false, ...client }: ClientToMake,
  { clock, ids }: NewClientDependencies,
): NewClient {
  const now = clock.now()
  const secrets = secret === null ? [] : [secretRow(secret, now, ids)]
  return { ...client, secrets, createdAt: now, disabledAt: disabled ? now : null }
}
