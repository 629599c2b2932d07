/** Reads a person of a Keycloak export: credentials, roles, groups, and identities at other providers. */
import { totp } from '@grantor/protocol/people'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { jsonWithin } from './json-within.ts'
import { attributesOf, type KeycloakAttributes } from './keycloak-attributes.ts'
import { keycloakHash } from './keycloak-hash.ts'
import { isKeycloaksOwn, rolesIn, texts } from './keycloak-own.ts'
import { claimsOf, type ImportedLink, type ImportedPerson, providerId, records, text } from './source.ts'
import { base32Bytes } from './totp-secret.ts'

type Row = Readonly<Record<string, unknown>>

/**
 * `unsaid`: the realm's default role if it is not imported, so that it is not reported for everybody; null otherwise.
 */
export function keycloakPerson(row: Row, at: number, unsaid: string | null): ImportedPerson {
  const known = attributesOf(row['attributes'])
  const credentials = records(row['credentials'])
  const password = credentials.find(({ type }) => type === 'password')
  const hash = password === undefined ? null : keycloakHash(password)
  const apps = credentials.filter(({ type }) => type === 'otp')
  const secret = apps.map(totpSecret).find((it) => it !== null)
  const actions = texts(row['requiredActions'])
  const created = row['createdTimestamp']
  const roles = rolesIn(row).filter((role) => !isKeycloaksOwn(role) && role !== unsaid)
  return {
    id: text(row['id']),
    username: text(row['username']) ?? '',
    claims: personClaims(row, known),
    passwordHash: hash,
    disabled: row['enabled'] === false,
    mustChangePassword: actions.includes(changePassword),
    createdAt: typeof created === 'number' && Number.isSafeInteger(created) ? (created as Instant) : null,
    roles,
    groups: texts(row['groups']),
    ...(Object.keys(known.others).length === 0 ? {} : { attributes: known.others }),
    ...(secret === undefined ? {} : { totpSecret: secret }),
    links: records(row['federatedIdentities']).flatMap(linkOf),
    where: `users[${at}]`,
    leftOut: [
      ...(password !== undefined && hash === null ? ['password of an unknown form'] : []),
      ...(text(row['federationLink']) === null ? [] : ['password that a directory keeps']),
      ...(apps.length > (secret === undefined ? 0 : 1) ? [appsLeft(secret !== undefined)] : []),
      ...(credentials.some(({ type }) => String(type).startsWith('webauthn')) ? ['passkey'] : []),
      ...(credentials.some(({ type }) => type === 'recovery-authn-codes') ? ['recovery codes'] : []),
      ...(known.unfit ? ['attributes that have no place here'] : []),
      ...(actions.some((action) => action !== changePassword) ? ['required actions'] : []),
      ...(rolesIn(row).some((role) => role.startsWith('realm-management:')) ? ['administration of the realm'] : []),
    ],
  }
}

/** The only one of Keycloak's required actions that also exists here. */
const changePassword = 'UPDATE_PASSWORD'

const appsLeft = (hasOne: boolean): string =>
  hasOne ? 'a second authenticator app' : 'authenticator app whose codes are not of SHA-1, six digits and half a minute'

function personClaims(row: Row, { claims }: KeycloakAttributes): JsonObject {
  const [given, family, email] = [text(row['firstName']), text(row['lastName']), text(row['email'])]
  return claimsOf({
    ...claims,
    email,
    email_verified: email === null ? null : row['emailVerified'] === true,
    given_name: given,
    family_name: family,
    name: [given, family].filter((it) => it !== null).join(' ') || null,
  })
}

/** Null if the settings of the app differ from ours. The secret is the text's bytes, unless it is marked as base 32. */
function totpSecret(credential: Row): Uint8Array | null {
  const [kept, about] = [jsonWithin(credential['secretData']), jsonWithin(credential['credentialData'])]
  const { subType, algorithm = 'HmacSHA1', digits = totp.digits, period = totp.period } = about
  const isOurs = subType === 'totp' && algorithm === 'HmacSHA1' && digits === totp.digits && period === totp.period
  const value = text(kept['value'])
  if (!isOurs || value === null) return null
  return about['secretEncoding'] === 'BASE32' ? base32Bytes(value) : Buffer.from(value, 'utf8')
}

function linkOf({ identityProvider, userId }: Row): readonly ImportedLink[] {
  const [provider, upstreamSubject] = [providerId(text(identityProvider) ?? ''), text(userId)]
  return provider === null || upstreamSubject === null ? [] : [{ provider, upstreamSubject }]
}
