/** What every realm of Keycloak contains by default, and how an export names roles. */
import { isRecord } from './source.ts'

export const keycloaksOwnClients: ReadonlySet<string> = new Set([
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
])

const ownRoles: ReadonlySet<string> = new Set(['offline_access', 'uma_authorization'])
const ownClients = [...keycloaksOwnClients].map((client) => `${client}:`)

export const isKeycloaksOwn = (role: string): boolean =>
  ownRoles.has(role) || ownClients.some((prefix) => role.startsWith(prefix))

/** The roles of a person, a group or a role: realm roles by their names, client roles prefixed with the client id. */
export function rolesIn({ realmRoles, clientRoles }: Readonly<Record<string, unknown>>): readonly string[] {
  const ofClients = Object.entries(isRecord(clientRoles) ? clientRoles : {}).flatMap(([client, names]) =>
    texts(names).map((name) => `${client}:${name}`),
  )
  return [...texts(realmRoles), ...ofClients]
}

export const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((it): it is string => typeof it === 'string') : []
