/** Keycloak: the export of a realm in one file (`kc.sh export --users realm_file`). */
import type { Instant } from '@grantor/protocol/types'
import { readKeycloakClients } from './keycloak-clients.ts'
import { keycloakHash } from './keycloak-hash.ts'
import {
  claimsOf,
  type ImportedData,
  type ImportedPerson,
  isRecord,
  type LeftOut,
  NotThatExport,
  parseJson,
  records,
  text,
} from './source.ts'

type Row = Readonly<Record<string, unknown>>

export interface KeycloakOptions {
  /** An export that holds nobody is taken, too. */
  readonly withoutPeople: boolean
}

export function readKeycloakExport(source: string, { withoutPeople }: KeycloakOptions): ImportedData {
  const document = parseJson(source, 'the export')
  // With several realms in one file it is a list.
  const realm: unknown = Array.isArray(document) && document.length === 1 ? document[0] : document
  if (Array.isArray(realm)) throw new NotThatExport('the file holds several realms', 'export one realm: --realm NAME')
  if (!isRecord(realm) || text(realm['realm']) === null)
    throw new NotThatExport('this is no export of a Keycloak realm: it names no realm')
  const people = records(realm['users']).filter((row) => text(row['serviceAccountClientId']) === null)
  // What an administrator exports from the console, and one file of several, hold no people: nothing would say so.
  if (people.length === 0 && !withoutPeople)
    throw new NotThatExport('this export holds no people', 'export with `--users realm_file`, or add --without-people')
  const { clients, leftOut } = readKeycloakClients(records(realm['clients']))
  return { people: people.map(personIn), clients, leftOut: [...leftOut, ...realmLeftOut(realm)] }
}

function personIn(row: Row, at: number): ImportedPerson {
  const attributes = isRecord(row['attributes']) ? row['attributes'] : {}
  const attribute = (name: string): string | null => {
    const value = attributes[name]
    return text(Array.isArray(value) ? value[0] : value)
  }
  const [given, family] = [text(row['firstName']), text(row['lastName'])]
  const email = text(row['email'])
  const credentials = records(row['credentials'])
  const password = credentials.find(({ type }) => type === 'password')
  const hash = password === undefined ? null : keycloakHash(password)
  const created = row['createdTimestamp']
  return {
    id: text(row['id']),
    username: text(row['username']) ?? '',
    claims: claimsOf({
      email,
      email_verified: email === null ? null : row['emailVerified'] === true,
      given_name: given,
      family_name: family,
      name: [given, family].filter((it) => it !== null).join(' ') || null,
      locale: attribute('locale'),
      phone_number: attribute('phoneNumber'),
    }),
    passwordHash: hash,
    disabled: row['enabled'] === false,
    createdAt: typeof created === 'number' && Number.isSafeInteger(created) ? (created as Instant) : null,
    where: `users[${at}]`,
    leftOut: [
      ...(password !== undefined && hash === null ? ['password of an unknown form'] : []),
      ...(credentials.some(({ type }) => type === 'otp') ? ['one-time password app'] : []),
      ...(credentials.some(({ type }) => String(type).startsWith('webauthn')) ? ['passkey'] : []),
      ...(records(row['federatedIdentities']).length > 0 ? ['sign-in by another provider'] : []),
      ...(isFilled(row['groups']) ? ['groups'] : []),
      ...(isFilled(row['realmRoles']) || isRecord(row['clientRoles']) ? ['roles'] : []),
      ...(isFilled(row['requiredActions']) ? ['required actions'] : []),
    ],
  }
}

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0

const parts: Readonly<Record<string, string>> = {
  groups: 'groups',
  identityProviders: 'identity providers',
  clientScopes: 'client scopes: a scope belongs to an API here, declare both',
  authenticationFlows: 'authentication flows',
}

const realmLeftOut = (realm: Row): readonly LeftOut[] =>
  Object.entries(parts)
    .filter(([member]) => isFilled(realm[member]))
    .map(([member, why]) => ({ what: `${records(realm[member]).length} ${member}`, why: `not carried over: ${why}` }))
