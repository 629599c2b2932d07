/** POST /register, without HTTP (RFC 7591 §3): a client registers itself, within the tenant's policy. */
import { bearerToken } from '@grantor/protocol/http'
import { type Refusal, secretPrefix } from '@grantor/protocol/oauth'
import type { ClientMetadata, RegistrationContext } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Json, JsonObject, Secret } from '@grantor/protocol/types'
import type { NewClient, Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import type { EndpointResult } from '../endpoint.ts'
import type { Origin } from '../events.ts'
import { type CountedLimits, limitReached } from '../limits/limits.ts'
import type { Clock, Ids, Issuers } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'
import { retryStale } from '../retry-stale.ts'
import { newClient, usesSecret } from './new-client.ts'
import {
  clientInformation,
  registeredEvent,
  registrationContext,
  type RegistrationPolicies,
  requestedMetadata,
} from './registration.ts'

/** A registration as the transport hands it over. */
export interface RegistrationRequest extends Origin {
  /** The Authorization header, if there was one. */
  readonly authorization: string | null
  readonly body: Json
}

export interface RegistrationDependencies extends RegistrationPolicies {
  readonly clock: Clock
  readonly ids: Ids
  readonly issuers: Issuers
  readonly directory: Directory
  readonly limits: CountedLimits
  readonly outbound: Outbound
  readonly store: Pick<Store, 'registrations'>
}

export const openRegistration =
  (deps: RegistrationDependencies) =>
  (request: RegistrationRequest): Promise<EndpointResult<JsonObject>> =>
    retryStale(request.tenant, deps.directory, async () => {
      const catalogue = await deps.directory.servedCatalogue(request.tenant)
      if (catalogue === null) return err({ reason: 'tenant_unknown' })
      const context = registrationContext(catalogue, deps)
      const token = await admitted(request, context, deps)
      if (token.kind === 'error') return token
      const metadata = await requestedMetadata(request.body, { ...context, first: true }, deps.outbound)
      if (metadata.kind === 'error') return metadata
      return commitRegistration({ request, context, token: token.value, metadata: metadata.value }, deps)
    })

/** Who may register: a caller with a valid token, or, in an open tenant, anyone within the limits. */
async function admitted(
  { tenant, authorization, ip }: RegistrationRequest,
  { policy: { mode } }: RegistrationContext,
  { clock, ids, limits, store }: RegistrationDependencies,
): Promise<Result<Secret | null, Refusal>> {
  if (mode === 'off') return err({ reason: 'registration_closed' })
  if (authorization !== null) {
    const token = bearerToken(authorization) as Secret | null
    const known = token !== null && (await store.registrations.token(tenant, ids.handleOf(token), clock.now()))
    return known === false || known === null ? err({ reason: 'registration_token_invalid' }) : ok(token)
  }
  if (mode === 'token') return err({ reason: 'registration_token_invalid' })
  return limitReached(await limits.takeByAddress('registration', ip)) ?? ok(null)
}

interface AdmittedRegistration {
  readonly request: RegistrationRequest
  readonly context: RegistrationContext
  /** The initial access token to be used up; null where none was needed. */
  readonly token: Secret | null
  readonly metadata: ClientMetadata
}

async function commitRegistration(
  { request, context, token, metadata }: AdmittedRegistration,
  deps: RegistrationDependencies,
): Promise<EndpointResult<JsonObject>> {
  const { ids, issuers, store } = deps
  const secret = usesSecret(metadata) ? ids.secret(secretPrefix.clientSecret) : null
  const access = ids.secret(secretPrefix.registrationAccess)
  const made = newClient({ tenant: request.tenant, id: ids.id(), metadata, secret, origin: 'dynamic' }, deps)
  const client: NewClient = { ...made, registrationAccess: ids.handleOf(access), vouched: token !== null }
  const outcome = await store.registrations.register({
    client,
    most: context.policy.mostClients,
    token: token === null ? null : ids.handleOf(token),
    at: client.createdAt,
    events: [registeredEvent(client, request, deps)],
  })
  switch (outcome) {
    case 'registered':
      return ok(clientInformation(client, { secret, access }, issuers))
    case 'token-spent':
      return err({ reason: 'registration_token_invalid' })
    case 'full':
      return err({ reason: 'registration_full' })
    case 'no-tenant':
      return err({ reason: 'tenant_unknown' })
    case 'exists':
    case 'subject-of-person':
      throw new Error('a fresh id was not fresh')
  }
}
