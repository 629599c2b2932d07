/** Clients of a Keycloak export as they are declared here; its own ones stay there. */
import type { JsonObject } from '@grantor/protocol/types'
import { isRecord, type LeftOut, text } from './source.ts'

type Row = Readonly<Record<string, unknown>>

/** What every realm has for itself. */
const keycloaksOwn: ReadonlySet<string> = new Set([
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
])

export function readKeycloakClients(rows: readonly Row[]): {
  readonly clients: readonly JsonObject[]
  readonly leftOut: readonly LeftOut[]
} {
  const clients: JsonObject[] = []
  const leftOut: LeftOut[] = []
  for (const row of rows) {
    const id = text(row['clientId']) ?? ''
    if (keycloaksOwn.has(id)) continue
    const why = reasonToLeave(row)
    if (why === null) clients.push(clientOf(row, id))
    else leftOut.push({ what: `client ${id}`, why })
    const partly = uris(row).filter((uri) => !isWhole(uri))
    if (partly.length > 0)
      leftOut.push({ what: `redirect URIs of client ${id}`, why: `these are no whole addresses: ${partly.join(', ')}` })
  }
  return { clients, leftOut }
}

/** Whole addresses that a browser can be sent to; RFC 9700 §2.1 compares them letter by letter. */
const uris = (row: Row): readonly string[] =>
  Array.isArray(row['redirectUris']) ? row['redirectUris'].filter((it): it is string => typeof it === 'string') : []
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

function clientOf(row: Row, id: string): JsonObject {
  const attributes = isRecord(row['attributes']) ? row['attributes'] : {}
  const grants = grantTypes(row)
  const usesBrowser = grants.includes('authorization_code')
  return {
    client_id: id,
    client_name: text(row['name']) ?? id,
    grant_types: grants,
    response_types: usesBrowser ? ['code'] : [],
    redirect_uris: uris(row).filter(isWhole),
    token_endpoint_auth_method: row['publicClient'] === true ? 'none' : 'client_secret_basic',
    ...(row['publicClient'] === true ? {} : { client_secret: text(row['secret']) }),
    ...(usesBrowser ? { scope: 'openid profile email offline_access' } : {}),
    ...(text(attributes['logoUri']) === null ? {} : { logo_uri: text(attributes['logoUri']) }),
    disabled: row['enabled'] === false,
  }
}
