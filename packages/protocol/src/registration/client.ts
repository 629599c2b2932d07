/** Questions about a registered client that several rules ask. */
import { redirectKind } from '../oauth/redirect-uri.ts'
import { noScope, parseScope, type Scope } from '../oauth/scope.ts'
import type { Handle, Instant, TenantId } from '../types.ts'
import type { ClientMetadata } from './client-fields.ts'
import type { FieldProblem } from './field-types.ts'
import type { TenantProfile } from './tenant-profile.ts'

export interface ClientSecret {
  readonly handle: Handle
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
}

export interface Client {
  readonly tenant: TenantId
  readonly id: string
  readonly metadata: ClientMetadata
  readonly secrets: readonly ClientSecret[]
  /**
   * How it came to be. A `dynamic` one registered itself; a `document` is the copy of a client metadata document, whose
   * address is its id. Only these two are reaped, and only while nobody has used them.
   */
  readonly origin: 'manual' | 'declared' | 'dynamic' | 'document'
  /** Of a document: from when on it must be fetched again before it is believed. */
  readonly freshUntil?: Instant
  /** Of a dynamic one: it registered with an initial access token. */
  readonly vouched?: boolean
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly disabledAt: Instant | null
  /** Counts its changes; see Basis in the store's contract. */
  readonly version: number
  /** Tokens of it that were issued up to this second are dead: a new one says a later second. */
  readonly tokensDeadUpTo?: Instant
  /** When it was last given a token, to about a minute; left out where it never was. */
  readonly lastUsedAt?: Instant
  /** What its tenant holds all clients to; with its own profile the stricter of both counts. */
  readonly tenantProfile?: TenantProfile
  /** Why that profile lets it do nothing. */
  readonly unfit?: FieldProblem
}

/** RFC 6749 §2.1: a client that authenticates by nothing cannot keep a secret. */
export const isPublic = (client: Client): boolean => client.metadata.token_endpoint_auth_method === 'none'

/** RFC 8252 §8.6: whether it is answered at an address that any app of the person's device may take, and proves nothing. */
export const isAnsweredOnDevice = (client: Client, redirectUri: string): boolean =>
  (isPublic(client) || client.origin === 'document') && redirectKind(redirectUri) !== 'https'

/** RFC 8252: whether the one who asks from this redirect URI is an app on the person's own device, or says that it is. */
export const isNativeApp = (client: Client, redirectUri: string): boolean =>
  client.metadata.application_type === 'native' || isAnsweredOnDevice(client, redirectUri)

/** Whether somebody here stands behind it: an administrator, a file, or whoever gave it an initial access token. */
export const isVouchedFor = (client: Client): boolean =>
  isMadeHere(client) || (client.origin === 'dynamic' && client.vouched === true)

/** The id of the console's own client, in every tenant. What it says is the server's to say, so no file carries it. */
export const consoleClient = 'grantor-console'

/** Names of all that it may come to hold, by asking for it or by an exchange. */
export const reachableScope = ({
  scope = '',
  exchange = [],
}: Partial<Pick<ClientMetadata, 'scope' | 'exchange'>>): readonly string[] => [
  ...scope.split(' '),
  ...exchange.flatMap(({ scopes = [] }) => scopes),
]

/** Whether somebody who runs this service made it; others registered themselves. */
export const isMadeHere = ({ origin }: Pick<Client, 'origin'>): boolean => origin === 'manual' || origin === 'declared'

/**
 * Whether people are not asked for consent there. An answer that any app of their device could take (RFC 8252 §8.6)
 * proves nothing of who asked: at such an address first-party clients are asked about like all others.
 */
export const isFirstPartyAt = (client: Client, redirectUri: string): boolean =>
  client.metadata.first_party === true && isMadeHere(client) && redirectKind(redirectUri) === 'https'

/** Whether it has anything to do with the end of a session: it wants to be told, or people come back to it from there. */
export const hearsOfLogout = ({ metadata }: Client): boolean =>
  metadata.backchannel_logout_uri !== undefined ||
  metadata.frontchannel_logout_uri !== undefined ||
  (metadata.post_logout_redirect_uris ?? []).length > 0

export const mayUseGrant = (client: Client, grantType: string): boolean =>
  client.metadata.grant_types.includes(grantType)

// Clients are immutable and cached by the authority: each registered scope is parsed once.
const scopes = new WeakMap<Client, Scope>()

export function registeredScope(client: Client): Scope {
  const known = scopes.get(client)
  if (known !== undefined) return known
  const scope = parseScope(client.metadata.scope) ?? noScope
  scopes.set(client, scope)
  return scope
}
