/**
 * Roles of a Keycloak export. An API there checks role names, so each role becomes a scope of one API here, and a role
 * that bundles this scope and the scopes of the roles that it contains.
 */
import { displayTextProblem, parseScope, reservedScopes, textLimits } from '@grantor/protocol/oauth'
import { isRoleName, roleLimits } from '@grantor/protocol/people'
import type { JsonObject } from '@grantor/protocol/types'
import { isKeycloaksOwn, rolesIn } from './keycloak-own.ts'
import { isRecord, type LeftOut, records, text } from './source.ts'

type Row = Readonly<Record<string, unknown>>

interface KeycloakRole {
  readonly name: string
  readonly description: string
  readonly holds: readonly string[]
}

export interface KeycloakRoles {
  readonly scopes: readonly JsonObject[]
  readonly roles: readonly JsonObject[]
  readonly leftOut: readonly LeftOut[]
}

/** `resource`: the API whose scopes the roles become; null if none was named. */
export function readKeycloakRoles(realm: Row, resource: string | null): KeycloakRoles {
  const all = new Map(rolesOf(realm).map((role) => [role.name, role]))
  const theirs = [...all.values()].filter(({ name }) => !isKeycloaksOwn(name) && name !== defaultRole(realm))
  if (theirs.length === 0) return { scopes: [], roles: [], leftOut: [] }
  const names = theirs.map(({ name }) => name)
  if (resource === null)
    return { scopes: [], roles: [], leftOut: [{ what: `roles ${firstOf(names)}`, why: withoutResource }] }
  const fit = new Set(names.filter((name) => nameProblem(name) === null).slice(0, roleLimits.ofTenant))
  const roles = [...theirs, ...[all.get(defaultRole(realm)) ?? []].flat()].flatMap((role) => {
    const scopes = closure(role.name, all).filter((name) => fit.has(name))
    const isFit = (fit.has(role.name) || isRoleName(role.name)) && scopes.length > 0
    return isFit ? [{ name: role.name, description: role.description, resource, scopes }] : []
  })
  const large = roles.filter(({ scopes }) => scopes.length > roleLimits.scopesOfRole)
  return {
    scopes: theirs
      .filter(({ name }) => fit.has(name))
      .map(({ name, description }) => ({ name, description: description || name, resource })),
    roles: roles.filter((role) => !large.includes(role)),
    leftOut: [
      ...names
        .filter((name) => !fit.has(name))
        .map((name) => ({ what: `role ${name}`, why: nameProblem(name) ?? 'there are too many' })),
      ...large.map(({ name }) => ({ what: `role ${name}`, why: 'it stands for too many roles: give those instead' })),
    ],
  }
}

const withoutResource =
  'a role is a bundle of scopes of an API here: name the API with --roles-at, or declare roles of these names first'

const firstOf = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')

/** The name of the role that everybody in the realm has. */
export const defaultRole = ({ realm, defaultRole: named }: Row): string =>
  (isRecord(named) ? text(named['name']) : null) ?? `default-roles-${String(realm).toLowerCase()}`

function rolesOf({ roles }: Row): readonly KeycloakRole[] {
  if (!isRecord(roles)) return []
  const ofClients = Object.entries(isRecord(roles['client']) ? roles['client'] : {})
  return [
    ...records(roles['realm']).map((row) => roleOf(row, '')),
    ...ofClients.flatMap(([client, rows]) => records(rows).map((row) => roleOf(row, `${client}:`))),
  ]
}

function roleOf(row: Row, prefix: string): KeycloakRole {
  const described = text(row['description']) ?? ''
  const { realm, client } = isRecord(row['composites']) ? row['composites'] : {}
  return {
    name: prefix + (text(row['name']) ?? ''),
    description: described.startsWith('${') || displayTextProblem(described, textLimits.description) ? '' : described,
    holds: rolesIn({ realmRoles: realm, clientRoles: client }),
  }
}

/** The role itself and all roles it contains, at any depth. A loop over a Set also visits what is added during it. */
function closure(name: string, all: ReadonlyMap<string, KeycloakRole>): readonly string[] {
  const found = new Set([name])
  for (const each of found) for (const held of all.get(each)?.holds ?? []) found.add(held)
  return [...found]
}

function nameProblem(name: string): string | null {
  if (!isRoleName(name)) return 'a role is called by 1 to 64 letters, digits, dots, colons, hyphens or underscores'
  return reservedScopes.has(name) || parseScope(name) === null ? 'a scope of that name is built in' : null
}
