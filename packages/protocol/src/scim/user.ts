/**
 * A person as a SCIM user: attributes that are claims of OpenID Connect are stored as claims, the others beside them.
 */
import { ok, type Result } from '../result.ts'
import { isJsonObject, type Json, type JsonObject } from '../types.ts'
import { badRequest, type ScimError } from './error.ts'
import { enterpriseUrn, userUrn } from './schemas.ts'
import { asList } from './value.ts'

/** Claims that correspond to an attribute of another name. */
const claimOf: Readonly<Record<string, string>> = {
  displayName: 'name',
  nickName: 'nickname',
  profileUrl: 'profile',
  locale: 'locale',
  timezone: 'zoneinfo',
}

const claimOfNamePart: Readonly<Record<string, string>> = {
  givenName: 'given_name',
  familyName: 'family_name',
  middleName: 'middle_name',
}

/** Lists whose primary value is a claim: that entry is stored without its value, which is only in the claim. */
const claimOfList: Readonly<Record<string, string>> = { emails: 'email', phoneNumbers: 'phone_number' }

/** The provisioning data of a person besides their claims. */
export interface Provisioned {
  readonly externalId: string | null
  /** Attributes by name; those of extensions under their URN. */
  readonly attributes: JsonObject
}

export interface ScimUser {
  readonly username: string
  readonly disabled: boolean
  readonly claims: JsonObject
  readonly provisioned: Provisioned
  /** Undefined: unchanged. */
  readonly password: string | undefined
}

/** Bytes of JSON. */
export const mostProvisioned = 16_384

/**
 * The person that a complete user describes; `claims` are their present claims, of which those without an attribute
 * stay.
 */
export function personIn(resource: JsonObject, claims: JsonObject): Result<ScimUser, ScimError> {
  const { userName, active, externalId, password, schemas: _schemas, id: _id, meta: _meta, ...rest } = resource
  const { name, ...others } = rest
  const newClaims: Record<string, Json> = withoutMapped(claims)
  const attributes: Record<string, Json> = {}
  const nameRest: Record<string, Json> = {}
  for (const [part, value] of Object.entries(isJsonObject(name) ? name : {})) {
    const claim = claimOfNamePart[part]
    if (claim === undefined) nameRest[part] = value
    else newClaims[claim] = value
  }
  if (Object.keys(nameRest).length > 0) attributes['name'] = nameRest
  for (const [attribute, value] of Object.entries(others)) {
    const claim = claimOf[attribute]
    const listClaim = claimOfList[attribute]
    if (claim !== undefined) newClaims[claim] = value
    else if (listClaim === undefined) attributes[attribute] = value
    else {
      const { counts, kept } = splitList(asList(value))
      attributes[attribute] = kept
      if (counts !== undefined) newClaims[listClaim] = counts
    }
  }
  keepVerified(newClaims, claims)
  if (Buffer.byteLength(JSON.stringify(attributes)) > mostProvisioned)
    return badRequest('invalidValue', `All attributes of a person take at most ${mostProvisioned} bytes.`)
  return ok({
    username: typeof userName === 'string' ? userName : '',
    disabled: active === false,
    claims: newClaims,
    provisioned: { externalId: typeof externalId === 'string' ? externalId : null, attributes },
    password: typeof password === 'string' ? password : undefined,
  })
}

const mapped = new Set([...Object.values(claimOf), ...Object.values(claimOfNamePart), ...Object.values(claimOfList)])

const withoutMapped = (claims: JsonObject): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(claims).filter(
      ([name]) => !mapped.has(name) && name !== 'email_verified' && name !== 'phone_number_verified',
    ),
  )

/** A provisioned address is not verified here: it stays verified only if it is unchanged. */
function keepVerified(newClaims: Record<string, Json>, before: JsonObject): void {
  for (const claim of Object.values(claimOfList)) {
    const verified = before[`${claim}_verified`]
    if (verified !== undefined && newClaims[claim] !== undefined && newClaims[claim] === before[claim])
      newClaims[`${claim}_verified`] = verified
  }
}

/** The entry that becomes the claim: the primary, else one for work, else the first. */
const counting = (list: readonly JsonObject[]): JsonObject | undefined =>
  list.find((it) => it['primary'] === true) ?? list.find((it) => it['type'] === 'work') ?? list[0]

function splitList(list: readonly JsonObject[]): {
  readonly counts: Json | undefined
  readonly kept: readonly JsonObject[]
} {
  const valued = list.filter((it) => typeof it['value'] === 'string')
  const chosen = counting(valued)
  const kept = valued.map((it) => (it === chosen ? (withoutValue(it) as JsonObject) : it))
  return { counts: chosen?.['value'], kept }
}

const withoutValue = ({ value: _value, ...rest }: JsonObject): object => rest

/** A person as they are shown, and as the start of a change: without `id`, `schemas` and `meta`. */
export function userIn(
  { username, disabled, claims }: Pick<ScimUser, 'username' | 'disabled' | 'claims'>,
  { externalId, attributes }: Provisioned,
): JsonObject {
  const named = isJsonObject(attributes['name']) ? attributes['name'] : {}
  const name = { ...named, ...renamed(claimOfNamePart, claims) }
  const lists = Object.fromEntries(
    Object.entries(claimOfList).flatMap(([attribute, claim]) => {
      const list = wholeList(asList(attributes[attribute]), claims[claim])
      return list.length === 0 ? [] : [[attribute, list]]
    }),
  )
  return {
    ...(externalId === null ? {} : { externalId }),
    userName: username,
    ...without(attributes, ['name', ...Object.keys(claimOfList)]),
    ...renamed(claimOf, claims),
    ...(Object.keys(name).length === 0 ? {} : { name }),
    active: !disabled,
    ...lists,
  }
}

const renamed = (names: Readonly<Record<string, string>>, claims: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(names).flatMap(([attribute, claim]) => {
      const value = claims[claim]
      return typeof value === 'string' ? [[attribute, value]] : []
    }),
  )

const without = (attributes: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)))

/** The stored list with the claim in its place; if there is no such list, the claim alone. */
function wholeList(kept: readonly JsonObject[], claim: Json | undefined): readonly JsonObject[] {
  const at = kept.findIndex((it) => it['value'] === undefined)
  const others = kept.filter((it) => it['value'] !== undefined)
  if (typeof claim !== 'string') return others
  const { primary: _primary, ...counts } = at < 0 ? ({} as JsonObject) : (kept[at] as JsonObject)
  const whole: JsonObject = { value: claim, ...(at < 0 ? { type: 'work' } : counts), primary: true }
  return [whole, ...others]
}

/** RFC 7643 §3: the schemas of whose attributes a resource has any. */
export const schemasOf = (user: JsonObject): readonly string[] =>
  user[enterpriseUrn] === undefined ? [userUrn] : [userUrn, enterpriseUrn]
