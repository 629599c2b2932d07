/** A request that was pushed before (RFC 9126 §4), found by the reference that a browser sends. */
import { type AuthorizationRequest, pushedPrefix } from '@grantor/protocol/authorize'
import { matchRedirectUri, type Policy, type Refusal } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Handle, JsonObject, TenantId } from '@grantor/protocol/types'
import type { PushedRequestRow, Store } from '@grantor/store'
import type { Clock, Ids } from '../ports/environment.ts'
import type { AcceptedAuthorization } from './accept.ts'

export interface PushedRequestDependencies {
  readonly clock: Clock
  readonly ids: Pick<Ids, 'handleOf'>
  readonly policy: Policy
  readonly store: Pick<Store, 'pushedRequests'>
}

export const isPushed = (requestUri: string | undefined): requestUri is string =>
  requestUri?.startsWith(pushedPrefix) === true

/**
 * An unknown, expired, used or another client's reference gets the same refusal; other parameters beside it are
 * ignored.
 */
export async function pushedRequest(
  requestUri: string,
  client: Client,
  { clock, ids, policy, store }: PushedRequestDependencies,
): Promise<Result<AcceptedAuthorization, Refusal>> {
  const row = await store.pushedRequests.find(client.tenant, ids.handleOf(requestUri))
  if (row === null || row.clientId !== client.id || row.usedAt !== null || row.expiresAt <= clock.now())
    return err({ reason: 'request_uri_invalid' })
  const request = requestIn(row)
  return matchRedirectUri(request.redirectUri, client.metadata, policy.addresses) === null
    ? err({ reason: 'redirect_uri_unregistered' })
    : ok({ ...request, client, request })
}

export const requestIn = ({ request, handle }: PushedRequestRow): AuthorizationRequest => ({
  ...(request as unknown as AuthorizationRequest),
  pushed: handle,
})

/**
 * What an interaction carries of a pushed request: only the reference, since the request may be longer than an address.
 */
export const referenceTo = (request: AuthorizationRequest): JsonObject =>
  request.pushed === null ? request : { pushed: request.pushed }

/** The request that an interaction carries or refers to; null where it is no longer stored. */
export async function referredRequest(
  carried: JsonObject,
  tenant: TenantId,
  { store }: Pick<PushedRequestDependencies, 'store'>,
): Promise<{ readonly request: JsonObject; readonly used: boolean } | null> {
  if (typeof carried['pushed'] !== 'string') return { request: carried, used: false }
  const row = await store.pushedRequests.find(tenant, carried['pushed'] as Handle)
  return row && { request: requestIn(row), used: row.usedAt !== null }
}

/** RFC 9126 §7.3: a refusal also uses up the request. False where it was answered before. */
export const useUp = async (
  { pushed }: Pick<AuthorizationRequest, 'pushed'>,
  { tenant }: { readonly tenant: TenantId },
  { clock, store }: Pick<PushedRequestDependencies, 'clock' | 'store'>,
): Promise<boolean> =>
  pushed === null || (await store.pushedRequests.use(tenant, pushed as Handle, clock.now())) === 'used'
