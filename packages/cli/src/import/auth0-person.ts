/** A person of an Auth0 export, with the fields chosen for the export or those of Auth0's import format. */
import { attributesProblem, groupNameProblem, isAttributeName } from '@grantor/protocol/people'
import type { ProviderKind } from '@grantor/protocol/providers'
import type { Instant, Json, JsonObject } from '@grantor/protocol/types'
import { claimsOf, type ImportedLink, type ImportedPerson, isRecord, providerId, records, text } from './source.ts'
import { base32Bytes } from './totp-secret.ts'

type Row = Readonly<Record<string, unknown>>

export function auth0Person(row: Row, hashes: ReadonlyMap<string, string>, where: string): ImportedPerson {
  const id = text(row['user_id'])
  const email = text(row['email'])
  const created = Date.parse(text(row['created_at']) ?? '')
  const custom = row['custom_password_hash']
  const own = isRecord(custom) && isRecord(custom['hash']) ? text(custom['hash']['value']) : text(row['passwordHash'])
  const { attributes, unfit } = attributesOf(row)
  const secret = totpSecret(row)
  return {
    id,
    username: text(row['username']) ?? email ?? text(row['phone_number']) ?? id ?? '',
    claims: claimsOf({
      email,
      email_verified: email === null ? null : row['email_verified'] === true,
      name: text(row['name']),
      given_name: text(row['given_name']),
      family_name: text(row['family_name']),
      nickname: text(row['nickname']),
      picture: text(row['picture']),
      phone_number: text(row['phone_number']),
    }),
    passwordHash: own ?? hashes.get(id ?? '') ?? null,
    disabled: row['blocked'] === true,
    createdAt: Number.isNaN(created) ? null : (created as Instant),
    roles: namesIn(row['roles'], authorizationOf(row)['roles']),
    groups: namesIn(row['groups'], authorizationOf(row)['groups']).filter((name) => groupNameProblem(name) === null),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
    ...(secret === null ? {} : { totpSecret: secret }),
    links: records(row['identities']).flatMap((identity) => linkOf(identity, id ?? '')),
    where,
    leftOut: [
      ...(unfit ? ['metadata that is no plain value'] : []),
      ...(secret === null && hasFactor(row) ? ['second factor whose secret is not in the export'] : []),
    ],
  }
}

/** The groups and roles that the Authorization Extension stores in `app_metadata`. */
function authorizationOf({ app_metadata: metadata }: Row): Row {
  const held = isRecord(metadata) ? metadata['authorization'] : null
  return isRecord(held) ? held : {}
}

/** The names in lists of names or of objects with a name. */
const namesIn = (...lists: readonly unknown[]): readonly string[] => {
  const all = lists.flatMap((list) => (Array.isArray(list) ? (list as readonly unknown[]) : []))
  return [...new Set(all.flatMap((it) => text(isRecord(it) ? it['name'] : it) ?? []))]
}

/** The plain values of both metadata; `app_metadata` takes precedence over `user_metadata`, which people can write. */
function attributesOf({ user_metadata: theirs, app_metadata: ours }: Row): {
  readonly attributes: JsonObject
  readonly unfit: boolean
} {
  const given = { ...(isRecord(theirs) ? theirs : {}), ...(isRecord(ours) ? ours : {}) }
  const fit: Record<string, Json> = {}
  let unfit = false
  for (const [name, value] of Object.entries(given)) {
    if (name === 'authorization') continue
    const isFit = isAttributeName(name) && attributesProblem({ [name]: value }) === null
    if (isFit) fit[name] = value as Json
    else if (value !== null) unfit = true
  }
  return attributesProblem(fit) === null ? { attributes: fit, unfit } : { attributes: {}, unfit: true }
}

/** `mfa_factors` of the import format: base 32; lengths that apps refuse are refused here, too. */
function totpSecret({ mfa_factors: factors }: Row): Uint8Array | null {
  for (const factor of records(factors)) {
    const app = isRecord(factor['totp']) ? text(factor['totp']['secret']) : null
    if (app !== null) return base32Bytes(app)
  }
  return null
}

const hasFactor = ({ multifactor, mfa_factors: factors }: Row): boolean =>
  [multifactor, factors].some((it) => Array.isArray(it) && it.length > 0)

/** People of Auth0's own database sign in by password. In some strategies `user_id` is prefixed with the connection. */
function linkOf({ provider, connection, user_id: user }: Row, whole: string): readonly ImportedLink[] {
  const [strategy, name] = [text(provider), text(connection)]
  const first = strategy !== null && whole.startsWith(`${strategy}|`) ? whole.slice(strategy.length + 1) : null
  const subject = typeof user === 'number' ? String(user) : (text(user) ?? text(first))
  if (strategy === null || strategy === 'auth0' || subject === null) return []
  const id = providerId(usualIds.get(strategy) ?? name ?? strategy)
  const prefix = `${name ?? ''}|`
  const upstreamSubject = subject.startsWith(prefix) ? subject.slice(prefix.length) : subject
  return id === null || upstreamSubject === '' ? [] : [{ provider: id, upstreamSubject }]
}

/** Auth0's strategies for providers that exist only once. */
export const usualIds: ReadonlyMap<string, ProviderKind> = new Map([
  ['google-oauth2', 'google'],
  ['github', 'github'],
  ['apple', 'apple'],
])
