/** Converts the clients of a Keycloak export to declarations; the clients that Keycloak has for itself are skipped. */
import { scopeLimits } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import { keycloaksOwnClients, rolesIn, texts } from './keycloak-own.ts'
import { isRecord, type LeftOut, text } from './source.ts'

type Row = Readonly<Record<string, unknown>>

export interface ClientContext {
  /** Including the service accounts, which are users that stand for clients. */
  readonly users: readonly Row[]
  /** In the form of a declaration. */
  readonly roles: readonly JsonObject[]
}

export function readKeycloakClients(
  rows: readonly Row[],
  context: ClientContext,
): {
  readonly clients: readonly JsonObject[]
  readonly leftOut: readonly LeftOut[]
} {
  const clients: JsonObject[] = []
  const leftOut: LeftOut[] = []
  for (const row of rows) {
    const id = text(row['clientId']) ?? ''
    if (keycloaksOwnClients.has(id)) continue
    const why = reasonToLeave(row)
    const scopes = why === null ? clientScopes(row, id, context) : null
    if (scopes !== null) clients.push(clientOf(row, id, scopes))
    else leftOut.push({ what: `client ${id}`, why: why ?? '' })
    if (scopes !== null && grantTypes(row).length > 2 && context.roles.length > 0)
      leftOut.push({ what: `scopes of people at client ${id}`, why: actsForItselfToo })
    const partly = uris(row).filter((uri) => !isWhole(uri))
    if (partly.length > 0)
      leftOut.push({ what: `redirect URIs of client ${id}`, why: `these are no whole addresses: ${partly.join(', ')}` })
  }
  return { clients, leftOut }
}

const actsForItselfToo =
  'it acts for itself, too, and would get all of them then: make a second client for that, and give this one the scopes'

/**
 * In Keycloak a client gets the roles of the person who signs in, and for itself those of its service account. Here a
 * client has one list of scopes: if the client also acts for itself, the list is what it may do without a person.
 */
function clientScopes(row: Row, id: string, { users, roles }: ClientContext): readonly string[] {
  if (grantTypes(row).includes('client_credentials')) {
    const held = new Set(rolesIn(users.find((user) => user['serviceAccountClientId'] === id) ?? {}))
    return scopesOf(roles.filter(({ name }) => held.has(name as string)))
  }
  return row['fullScopeAllowed'] === false ? [] : scopesOf(roles)
}

const scopesOf = (roles: readonly JsonObject[]): readonly string[] => [
  ...new Set(roles.flatMap(({ scopes }) => scopes as readonly string[])),
]

/** Complete redirect addresses, without wildcards: RFC 9700 §2.1 compares them as exact strings. */
const uris = (row: Row): readonly string[] => texts(row['redirectUris'])
const isWhole = (uri: string): boolean => !uri.includes('*') && /^[a-z][a-z0-9+.-]*:/i.test(uri)

function reasonToLeave(row: Row): string | null {
  if ((row['protocol'] ?? 'openid-connect') !== 'openid-connect') return `it speaks ${String(row['protocol'])}`
  if (row['bearerOnly'] === true) return 'it is an API: declare it as a resource'
  if (row['publicClient'] !== true && row['clientAuthenticatorType'] !== 'client-secret')
    return 'it proves itself by another way than a secret'
  const secret = text(row['secret'])
  if (row['publicClient'] !== true && (secret === null || /^\*+$/.test(secret)))
    return 'its secret is not in the export'
  if (grantTypes(row).length === 0) return 'none of its flows exists here'
  return null
}

const grantTypes = (row: Row): readonly string[] => [
  ...(row['standardFlowEnabled'] !== false && uris(row).some(isWhole) ? ['authorization_code', 'refresh_token'] : []),
  ...(row['serviceAccountsEnabled'] === true ? ['client_credentials'] : []),
]

function clientOf(row: Row, id: string, ofRoles: readonly string[]): JsonObject {
  const attributes = isRecord(row['attributes']) ? row['attributes'] : {}
  const grants = grantTypes(row)
  const usesBrowser = grants.includes('authorization_code')
  const built = usesBrowser ? ['openid', 'profile', 'email', 'offline_access'] : []
  const scope = [...built, ...ofRoles].slice(0, scopeLimits.names).join(' ')
  return {
    client_id: id,
    client_name: text(row['name']) ?? id,
    grant_types: grants,
    response_types: usesBrowser ? ['code'] : [],
    redirect_uris: uris(row).filter(isWhole),
    token_endpoint_auth_method: row['publicClient'] === true ? 'none' : 'client_secret_basic',
    ...(row['publicClient'] === true ? {} : { client_secret: text(row['secret']) }),
    ...(scope === '' ? {} : { scope }),
    ...(text(attributes['logoUri']) === null ? {} : { logo_uri: text(attributes['logoUri']) }),
    disabled: row['enabled'] === false,
  }
}
