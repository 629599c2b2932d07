/**
 * POST /introspect, without HTTP (RFC 7662, RFC 9701). A token that a resource server is told is inactive is recorded
 * as token.rejected.
 */
import { livingDetails } from '@grantor/protocol/authorization-details'
import type { NewEvent } from '@grantor/protocol/events'
import { jwtType } from '@grantor/protocol/jose'
import {
  type AccessTokenFacts,
  type ApiKey,
  type Catalogue,
  formatScope,
  inactive,
  introspect as describe,
  introspectionAlg,
  introspectRefresh,
  mayIntrospect,
  mayIntrospectToken,
  personalScope,
  presentedToken,
  type Refusal,
  signedIntrospection,
  type TokenStatus,
} from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { JsonObject, TokenId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { AuthenticateClient, ServeClient } from '../clients/client-endpoint.ts'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { describeKey, type KeyDescriptionDependencies } from '../api-keys/describe.ts'
import { type EventDependencies, newEvent, type RefusalRecorder } from '../events.ts'
import type { Keyring } from '../keys/keyring.ts'
import { findPresentedToken, type PresentedToken, type PresentedTokenDependencies } from './presented-token.ts'
import { tokenStatusOf, type TokenStatusDependencies } from './status.ts'

export type IntrospectionDependencies = EventDependencies &
  PresentedTokenDependencies &
  TokenStatusDependencies &
  KeyDescriptionDependencies & {
    readonly serveClient: ServeClient
    readonly keyring: Keyring
    readonly refusedRequests: RefusalRecorder
    readonly store: Pick<Store, 'events'>
  }

export const openIntrospection =
  (deps: IntrospectionDependencies) =>
  (request: EndpointRequest): Promise<EndpointResult<JsonObject>> =>
    deps.serveClient('introspection', request, async (authenticate) => {
      const found = await describedToken(request, authenticate, deps)
      return found.kind === 'error' ? found : ok(found.value.described)
    })

/** RFC 9701 §5: the same answer as a JWT, even where it only says that the token is not active. */
export const openSignedIntrospection =
  (deps: IntrospectionDependencies) =>
  (request: EndpointRequest): Promise<EndpointResult<string>> =>
    deps.serveClient('introspection', request, async (authenticate) => {
      const found = await describedToken(request, authenticate, deps)
      if (found.kind === 'error') return found
      const { described, client, catalogue } = found.value
      const signer = await deps.keyring.signer(catalogue, introspectionAlg(client))
      const issuer = deps.issuers.issuerOf(request.tenant)
      const claims = signedIntrospection(described, { issuer, client, now: deps.clock.now() })
      return ok(signer.sign(jwtType.introspection, claims))
    })

interface DescribedToken {
  readonly described: JsonObject
  readonly client: Client
  readonly catalogue: Catalogue
}

async function describedToken(
  request: EndpointRequest,
  authenticate: AuthenticateClient,
  deps: IntrospectionDependencies,
): Promise<Result<DescribedToken, Refusal>> {
  const catalogue = await deps.directory.servedCatalogue(request.tenant)
  if (catalogue === null) return err({ reason: 'tenant_unknown' })
  const authenticated = await authenticate()
  if (authenticated.kind === 'error') return authenticated
  const client = authenticated.value
  const barred = mayIntrospect(client)
  if (barred !== null) return err(barred)
  const presented = presentedToken(request.form)
  if (presented.kind === 'error') return presented

  const found = await findPresentedToken(presented.value, catalogue, deps)
  return ok({ described: await describeFound(found, { request, client, catalogue }, deps), client, catalogue })
}

/** The introspection request, the client that sent it, and the catalogue of its tenant. */
interface TokenQuestion {
  readonly request: EndpointRequest
  readonly client: Client
  readonly catalogue: Catalogue
}

async function describeFound(
  found: PresentedToken,
  question: TokenQuestion,
  deps: IntrospectionDependencies,
): Promise<JsonObject> {
  const { request, client, catalogue } = question
  switch (found.kind) {
    case 'access':
      return describeAccess(found.token, question, deps)
    case 'refresh':
      return describeRefresh(found.refresh, question, deps)
    case 'api_key': {
      const { described, fault } = await describeKey({ key: found.key, client, catalogue }, deps)
      if (fault !== null) await recordRejection(request, { client, reason: fault, ...aboutKey(found.key) }, deps)
      return described
    }
    case 'unsupported':
    case 'unknown': {
      const { tenant } = request
      // Unknown tokens are only counted, not written to the log: anybody can make up any number of them.
      deps.refusedRequests.record({ name: 'token.rejected', tenant, clientId: client.id, reason: 'token_unknown' })
      return inactive
    }
  }
}

async function describeAccess(
  token: AccessTokenFacts,
  { request, client, catalogue }: TokenQuestion,
  deps: IntrospectionDependencies,
): Promise<JsonObject> {
  const { tenant } = request
  const status = await tokenStatusOf(token, catalogue, deps)
  const issuer = deps.issuers.issuerOf(tenant)
  const described = describe({ token, status, client, now: deps.clock.now(), issuer, tenant })
  if (described === inactive) {
    const reason = reasonOf({ client, token, status })
    await recordRejection(request, { client, reason, ...aboutToken(token) }, deps)
  }
  return described
}

async function describeRefresh(
  found: Extract<PresentedToken, { kind: 'refresh' }>['refresh'],
  { request: { tenant }, client, catalogue }: TokenQuestion,
  { clock, issuers, people }: IntrospectionDependencies,
): Promise<JsonObject> {
  const person = await people.find(tenant, found.grant.authentication.subject)
  const refresh = { ...found, scope: personalScope(found.scope, person, catalogue) }
  const details = livingDetails(refresh.grant.authorizationDetails ?? [], { client, catalogue })
  const issuer = issuers.issuerOf(tenant)
  return introspectRefresh({ refresh, details, person, client, issuer, now: clock.now() })
}

interface Rejected {
  readonly client: Client
  readonly reason: string
  /** What is known of the token. */
  readonly about: Partial<Pick<NewEvent, 'clientId' | 'subject' | 'grantId' | 'jti' | 'scope'>>
}

const aboutToken = ({ clientId, subject, grantId, jti, scope }: AccessTokenFacts): Pick<Rejected, 'about'> => ({
  about: { clientId, subject, grantId, jti, scope: formatScope(scope) },
})

const aboutKey = ({ clientId, id }: ApiKey): Pick<Rejected, 'about'> => ({
  about: { clientId, subject: clientId, jti: id as TokenId },
})

async function recordRejection(
  request: EndpointRequest,
  { client, reason, about }: Rejected,
  deps: IntrospectionDependencies,
): Promise<void> {
  const actor = { kind: 'resource_server', id: client.id } as const
  await deps.store.events.append([newEvent(deps, request, 'token.rejected', { actor, reason, ...about })])
}

interface RejectedToken {
  readonly client: Client
  readonly token: AccessTokenFacts
  readonly status: TokenStatus
}

/** Why the token is inactive, for the log alone: the caller learns only that it is not active. */
function reasonOf({ client, token, status }: RejectedToken): string {
  if (!mayIntrospectToken(client, token)) return 'not_for_this_caller'
  return status.revokedAt !== null || status.grantRevokedAt !== null ? 'token_revoked' : 'token_expired'
}
