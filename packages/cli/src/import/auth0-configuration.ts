/** The configuration of an Auth0 tenant, as its Deploy CLI writes it: APIs with permissions, roles, connections. */
import { isRoleName } from '@grantor/protocol/people'
import type { JsonObject } from '@grantor/protocol/types'
import { parse } from 'yaml'
import { usualIds } from './auth0-person.ts'
import { type ImportedData, isRecord, type LeftOut, NotThatExport, providerId, records, text } from './source.ts'

type Row = Readonly<Record<string, unknown>>

export function readAuth0Configuration(
  source: string,
): Pick<ImportedData, 'resources' | 'scopes' | 'roles' | 'providers' | 'leftOut'> {
  const tenant = documentIn(source)
  const apis = records(tenant['resourceServers']).filter((row) => row['is_system'] !== true)
  const scopes = apis.flatMap((api) =>
    records(api['scopes']).map((row) => ({
      name: text(row['value']),
      description: text(row['description']) ?? text(row['value']),
      resource: text(api['identifier']),
    })),
  )
  // In Grantor, the name of a scope is unique in a tenant, across all APIs.
  const twice = scopes.filter((scope, at) => scopes.findIndex(({ name }) => name === scope.name) !== at)
  const own = scopes.filter((scope) => !twice.includes(scope))
  const roles = records(tenant['roles']).map((row) => roleOf(row, own))
  const connections = records(tenant['connections']).map((row) => connectionOf(row))
  return {
    resources: apis.map((api) => ({
      identifier: text(api['identifier']),
      name: text(api['name']) ?? text(api['identifier']),
      require_roles: api['enforce_policies'] === true,
    })),
    scopes: own,
    roles: roles.flatMap((it) => it.fit),
    providers: connections.flatMap((it) => (isLeft(it) ? [] : [it])),
    leftOut: [
      ...twice.map(({ name, resource }) => ({
        what: `permission ${name} of ${resource}`,
        why: 'another API has one of that name: declare it under another',
      })),
      ...roles.flatMap((it) => it.leftOut),
      ...connections.filter(isLeft),
      ...clientsLeft(tenant),
    ],
  }
}

const isLeft = (it: JsonObject | LeftOut): it is LeftOut => 'why' in it

function documentIn(source: string): Row {
  try {
    const read: unknown = parse(source)
    if (isRecord(read)) return read
  } catch {
    // Reported below without quoting the text, which holds secrets.
  }
  throw new NotThatExport('the configuration is neither YAML nor JSON of an Auth0 tenant', 'was the file cut off?')
}

/** A role in Auth0 may have permissions of several APIs; in Grantor, of one. */
function roleOf(row: Row, scopes: readonly JsonObject[]): { fit: readonly JsonObject[]; leftOut: readonly LeftOut[] } {
  const name = text(row['name']) ?? ''
  const permissions = records(row['permissions']).map((it) => ({
    scope: text(it['permission_name'] ?? it['name']),
    resource: text(it['resource_server_identifier']),
  }))
  const apis = [...new Set(permissions.map(({ resource }) => resource))]
  const left = (why: string) => ({ fit: [], leftOut: [{ what: `role ${name}`, why }] })
  if (!isRoleName(name))
    return left('a role is called by 1 to 64 letters, digits, dots, colons, hyphens or underscores')
  if (apis.length !== 1)
    return left(
      apis.length === 0 ? 'it has no permissions' : 'it has permissions of several APIs: declare a role of each',
    )
  const held = permissions.flatMap(({ scope }) => (scopes.some((it) => it['name'] === scope) ? [scope] : []))
  return {
    fit: [{ name, description: text(row['description']) ?? '', resource: apis[0] ?? '', scopes: held }],
    leftOut: [],
  }
}

function connectionOf(row: Row): JsonObject | LeftOut {
  const [name, strategy] = [text(row['name']) ?? '', text(row['strategy']) ?? '']
  const options = isRecord(row['options']) ? row['options'] : {}
  const left = (why: string): LeftOut => ({ what: `connection ${name}`, why })
  const kind = usualIds.get(strategy) ?? (strategy === 'oidc' ? 'oidc' : null)
  const id = providerId(usualIds.get(strategy) ?? name)
  if (kind === null || id === null)
    return left(`of the strategy ${strategy}: declare it as a provider, see docs/providers.md`)
  const secret = text(kind === 'apple' ? options['app_secret'] : options['client_secret'])
  if (secret === null || /^\*+$|^##/.test(secret)) return left('its secret is not in the file')
  const issuer = text(options['issuer']) ?? text(options['discovery_url'])?.replace(wellKnown, '') ?? null
  if (kind === 'oidc' && issuer === null) return left('its issuer is not in the file: declare it with one')
  return {
    id,
    kind,
    name: text(row['display_name']) ?? text(options['display_name']) ?? name,
    client_id: text(options['client_id']),
    client_secret: secret,
    ...(kind === 'oidc' ? { issuer } : {}),
    ...(kind === 'apple' ? { team_id: text(options['team_id']), key_id: text(options['kid']) } : {}),
    create: true,
  }
}

const wellKnown = /\/\.well-known\/openid-configuration$/

function clientsLeft(tenant: Row): readonly LeftOut[] {
  const clients = records(tenant['clients']).length
  return clients === 0 ? [] : [{ what: `${clients} clients`, why: 'their secrets are not in the file: declare them' }]
}
