/** Properties of a registered client that several rules need. */
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
   * The origin of a client. A `dynamic` one registered itself; a `document` is the copy of a client metadata document,
   * whose address is its id. Only these two are removed when unused.
   */
  readonly origin: 'manual' | 'declared' | 'dynamic' | 'document'
  /** For a document: from then on it must be fetched again before it is used. */
  readonly freshUntil?: Instant
  /** For a dynamic client: whether it registered with an initial access token. */
  readonly vouched?: boolean
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly disabledAt: Instant | null
  /** Increases with its changes; see Basis in the store's contract. */
  readonly version: number
  /** Tokens of the client issued up to this second are revoked; a new one must name a later second. */
  readonly tokensDeadUpTo?: Instant
  /** When it last received a token, to about a minute; left out if never. */
  readonly lastUsedAt?: Instant
  /** The profile of its tenant; together with its own, the stricter rule of both applies. */
  readonly tenantProfile?: TenantProfile
  /** Why that profile excludes the client. */
  readonly unfit?: FieldProblem
}

/** RFC 6749 §2.1: a client without authentication cannot keep a secret. */
export const isPublic = (client: Client): boolean => client.metadata.token_endpoint_auth_method === 'none'

/**
 * RFC 8252 §8.6: whether answers go to an address that any app on the person's device may take, while the client proves
 * nothing.
 */
export const isAnsweredOnDevice = (client: Client, redirectUri: string): boolean =>
  (isPublic(client) || client.origin === 'document') && redirectKind(redirectUri) !== 'https'

/** RFC 8252: whether a client with this redirect URI is an app on the person's own device, or claims to be. */
export const isNativeApp = (client: Client, redirectUri: string): boolean =>
  client.metadata.application_type === 'native' || isAnsweredOnDevice(client, redirectUri)

/** Whether somebody vouches for the client: an administrator, a file, or whoever gave it an initial access token. */
export const isVouchedFor = (client: Client): boolean =>
  isMadeHere(client) || (client.origin === 'dynamic' && client.vouched === true)

/** The id of the console's own client, in every tenant. The server determines its metadata, so no file contains it. */
export const consoleClient = 'grantor-console'

/** All scope names that the client could obtain, by a request or by an exchange. */
export const reachableScope = ({
  scope = '',
  exchange = [],
}: Partial<Pick<ClientMetadata, 'scope' | 'exchange'>>): readonly string[] => [
  ...scope.split(' '),
  ...exchange.flatMap(({ scopes = [] }) => scopes),
]

/** Whether an operator created the client; others registered themselves. */
export const isMadeHere = ({ origin }: Pick<Client, 'origin'>): boolean => origin === 'manual' || origin === 'declared'

/**
 * Whether the client is exempt from consent at this redirect URI. If any app on the device could take the answer (RFC
 * 8252 §8.6), the client is not proven: at such an address people are asked about first-party clients like all others.
 */
export const isFirstPartyAt = (client: Client, redirectUri: string): boolean =>
  client.metadata.first_party === true && isMadeHere(client) && redirectKind(redirectUri) === 'https'

/** Whether the end of a session concerns the client: it is notified, or people return to it after logout. */
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
