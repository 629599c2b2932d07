/** Read-only questions about clients: which exist, what a token would contain, and which redirect URIs match. */
import { claimsForResource } from '@grantor/protocol/claims'
import {
  accessTokenClaims,
  audienceOf,
  chooseTarget,
  isKnownScope,
  matchRedirectUri,
  nothingPersonal,
  parseScope,
  personalScope,
  type Policy,
  registeredRedirectUri,
  type Scope,
  scopeFor,
  seconds,
  without,
} from '@grantor/protocol/oauth'
import { type Client, registeredScope } from '@grantor/protocol/registration'
import { err, ok } from '@grantor/protocol/result'
import type { GrantId, Instant, JsonObject, TenantId, TokenId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { Clock, Issuers } from '../../ports/environment.ts'
import { subjectFor } from '../../tokens/subject-for.ts'
import type { AdminError, AdminResult } from '../result.ts'
import { type PreviewStep, previewSteps, type StepDependencies } from './preview-steps.ts'
import { onlyIssued as unknown, type SignInPreview, signInPreview } from './preview-sign-in.ts'

export { type ClientSearch, searchClients } from './search.ts'
export type { SearchPage } from './search-page.ts'

export interface PreviewRequest {
  readonly clientId: string
  /** The id of a person; null for the client itself. */
  readonly subject: string | null
  /** Null for the whole scope that the client is registered for. */
  readonly scope: string | null
  readonly resource: string | null
}

export interface TokenPreview {
  readonly format: 'jwt' | 'opaque'
  readonly typ: 'at+jwt' | 'JWT'
  readonly claims: JsonObject
  /** The ID token and the answer of `/userinfo`, where a person signs in with `openid`; null elsewhere. */
  readonly signIn: SignInPreview | null
  /** How the scope of the token comes about. */
  readonly steps: readonly PreviewStep[]
  /** Why a requested scope would not be in the token. */
  readonly leftOut: readonly { readonly scope: string; readonly why: LeftOut }[]
}

type LeftOut = 'not_registered' | 'not_declared' | 'administrators_only' | 'roles_missing' | 'another_resource'

export interface PreviewDependencies extends StepDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly issuers: Issuers
  readonly policy: Policy
  readonly store: Pick<Store, 'clients' | 'consents' | 'users' | 'directory' | 'keys'>
}

const invalid = (field: string, problem: string) =>
  err<AdminError>({ reason: 'invalid', problems: [{ field, problem }] })

export async function previewToken(
  tenant: TenantId,
  { clientId, subject, scope, resource }: PreviewRequest,
  { clock, ids, issuers, policy, store }: PreviewDependencies,
): Promise<AdminResult<TokenPreview>> {
  const catalogue = await store.directory.catalogue(tenant)
  const client = await store.clients.find(tenant, clientId)
  if (catalogue === null || client === null) return err({ reason: 'absent', what: `client ${clientId}` })
  const person = subject === null ? null : await store.users.byId(tenant, subject)
  if (subject !== null && person === null) return invalid('subject', 'is nobody here')
  const asked = scope === null ? registeredScope(client) : parseScope(scope)
  if (asked === null) return invalid('scope', 'must be names separated by single spaces')
  const issuer = issuers.issuerOf(tenant)
  const declared = new Set([...asked].filter((name) => isKnownScope(catalogue, name)))
  const registered = declared.intersection(registeredScope(client))
  const held = person === null ? registered : personalScope(registered, person, catalogue)
  const fallback = client.metadata.default_resource ?? null
  const target = chooseTarget({
    asked: resource,
    scope: resource === null ? held : new Set(),
    fallback,
    catalogue,
    issuer,
  })
  if (target.kind === 'error') return invalid('resource', `would be refused: ${target.error.reason}`)
  const given = scopeFor(target.value, held, catalogue)
  const now = clock.now()
  const { resource: api } = target.value
  const facts = {
    jti: unknown as TokenId,
    clientId,
    subject: person === null ? clientId : (subjectFor(client, person.id, store) ?? person.id),
    grantId: person === null ? null : (unknown as GrantId),
    audience: audienceOf(target.value, issuer),
    scope: given,
    issuedAt: now,
    expiresAt: (now + (api?.accessTtl ?? policy.accessTtl) * 1000) as Instant,
    claims: {
      ...claimsForResource(api, { person, scope: given, catalogue }),
      ...(person === null ? {} : { auth_time: seconds(now), acr: unknown, sid: unknown }),
      ...confirmation(client),
      ...(api?.statusList === true ? { status: { status_list: { idx: unknown, uri: unknown } } } : {}),
    },
  }
  const because = (why: LeftOut, names: Scope) => [...names].map((name) => ({ scope: name, why }))
  return ok({
    format: api?.tokenFormat ?? 'jwt',
    typ: api?.tokenTyp ?? 'at+jwt',
    claims: accessTokenClaims(facts, { issuer, tenant }),
    signIn: person === null ? null : signInPreview({ client, person, scope: given, issuer, now }, { policy, store }),
    steps: await previewSteps({ asked, registered, held, given }, { client, person, now }, { ids, store }),
    leftOut: [
      ...because('not_declared', without(asked, declared)),
      ...because('not_registered', without(declared, registered)),
      ...[...without(registered, held)].map((name) => ({ scope: name, why: nothingPersonal(new Set([name])) })),
      ...because('another_resource', without(held, given)),
    ],
  })
}

export interface RedirectMatch {
  /** The registered URI that it matches; null where none does. */
  readonly registered: string | null
  /** Whether it is registered, but refused by the current rules. */
  readonly outdated: boolean
}

/** Whether an authorization request of the client may name this redirect URI. */
export async function redirectMatch(
  tenant: TenantId,
  { clientId, redirectUri }: { readonly clientId: string; readonly redirectUri: string },
  { policy, store }: Pick<PreviewDependencies, 'policy' | 'store'>,
): Promise<AdminResult<RedirectMatch>> {
  const client = await store.clients.find(tenant, clientId)
  if (client === null) return err({ reason: 'absent', what: `client ${clientId}` })
  const registered = matchRedirectUri(redirectUri, client.metadata, policy.addresses)
  const outdated = registered === null && registeredRedirectUri(redirectUri, client.metadata) !== null
  return ok({ registered, outdated })
}

const confirmation = ({ metadata }: Client): JsonObject => {
  if (metadata.dpop_bound_access_tokens === true) return { cnf: { jkt: unknown } }
  return metadata.tls_client_certificate_bound_access_tokens === true ? { cnf: { 'x5t#S256': unknown } } : {}
}
