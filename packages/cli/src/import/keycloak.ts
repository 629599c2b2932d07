/** Keycloak: the export of a realm in one file (`kc.sh export --users same_file`). */
import { readKeycloakClients } from './keycloak-clients.ts'
import { readKeycloakGroups } from './keycloak-groups.ts'
import { keycloakPerson } from './keycloak-person.ts'
import { readKeycloakProviders } from './keycloak-providers.ts'
import { defaultRole, readKeycloakRoles } from './keycloak-roles.ts'
import { type ImportedData, isRecord, type LeftOut, NotThatExport, parseJson, records, text } from './source.ts'

type Row = Readonly<Record<string, unknown>>

export interface KeycloakOptions {
  /** Accepts an export without people, too. */
  readonly withoutPeople: boolean
  /** The API whose scopes the realm's roles become; null: roles are matched with the existing roles here. */
  readonly rolesAt: string | null
}

export function readKeycloakExport(source: string, { withoutPeople, rolesAt }: KeycloakOptions): ImportedData {
  const document = parseJson(source, 'the export')
  // An export may be a list of realms; only one with a single realm is accepted.
  const realm: unknown = Array.isArray(document) && document.length === 1 ? document[0] : document
  if (Array.isArray(realm)) throw new NotThatExport('the file holds several realms', 'export one realm: --realm NAME')
  const name = isRecord(realm) ? text(realm['realm']) : null
  if (!isRecord(realm) || name === null)
    throw new NotThatExport('this is no export of a Keycloak realm: it names no realm')
  const users = records(realm['users'])
  const people = users.filter((row) => text(row['serviceAccountClientId']) === null)
  // An export from the admin console, or one file of several, contains no people, and nothing else would tell.
  if (people.length === 0 && !withoutPeople)
    throw new NotThatExport('this export holds no people', 'export with `--users same_file`, or add --without-people')
  const roles = readKeycloakRoles(realm, rolesAt)
  const everybodys = defaultRole(realm)
  const unsaid = roles.roles.some((role) => role['name'] === everybodys) ? null : everybodys
  const groups = readKeycloakGroups(realm)
  const providers = readKeycloakProviders(records(realm['identityProviders']))
  const clients = readKeycloakClients(records(realm['clients']), { users, roles: roles.roles })
  const resource = { identifier: rolesAt, name: text(realm['displayName']) ?? name, require_roles: true }
  return {
    people: people.map((row, at) => keycloakPerson(row, at, unsaid)),
    resources: rolesAt === null ? [] : [resource],
    scopes: roles.scopes,
    roles: roles.roles,
    groups: groups.groups,
    providers: providers.providers,
    clients: clients.clients,
    leftOut: [
      ...clients.leftOut,
      ...roles.leftOut,
      ...groups.leftOut,
      ...providers.leftOut,
      ...directoriesLeft(realm),
      ...realmLeftOut(realm),
    ],
  }
}

/** Reports the user directories (LDAP, for example) of the realm as left out. */
function directoriesLeft({ components }: Row): readonly LeftOut[] {
  const stores = isRecord(components) ? components['org.keycloak.storage.UserStorageProvider'] : undefined
  return records(stores).map((row) => ({
    what: `directory ${text(row['name']) ?? ''}`,
    why: 'declare it as a provider of the kind ldap or active_directory: its people sign in with the passwords there',
  }))
}

const parts: Readonly<Record<string, string>> = {
  clientScopes: 'a scope belongs to an API here, declare both',
  authenticationFlows: 'who signs in how follows from what people have, and from what an app asks for',
}

const realmLeftOut = (realm: Row): readonly LeftOut[] =>
  Object.entries(parts)
    .filter(([member]) => records(realm[member]).length > 0)
    .map(([member, why]) => ({ what: `${records(realm[member]).length} ${member}`, why: `not carried over: ${why}` }))
