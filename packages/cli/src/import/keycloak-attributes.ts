/** Free attributes of a person in a Keycloak export: claims if Keycloak's own mappers say so, else attributes. */
import { attributesProblem, isAttributeName } from '@grantor/protocol/people'
import type { JsonObject } from '@grantor/protocol/types'
import { isRecord, text } from './source.ts'

/** The attributes that the default scopes of every realm turn into claims of OIDC Core §5.1. */
const claimNames: Readonly<Record<string, string>> = {
  middleName: 'middle_name',
  nickname: 'nickname',
  profile: 'profile',
  picture: 'picture',
  website: 'website',
  gender: 'gender',
  birthdate: 'birthdate',
  zoneinfo: 'zoneinfo',
  locale: 'locale',
  phoneNumber: 'phone_number',
}
const verified = 'phoneNumberVerified'

export interface KeycloakAttributes {
  readonly claims: JsonObject
  readonly others: JsonObject
  /** Whether some attributes are left out because they do not fit. */
  readonly unfit: boolean
}

export function attributesOf(value: unknown): KeycloakAttributes {
  const claims: Record<string, string | boolean> = {}
  const others: Record<string, string | string[]> = {}
  let unfit = false
  for (const [name, given] of Object.entries(isRecord(value) ? value : {})) {
    const values = (Array.isArray(given) ? given : [given]).filter((it): it is string => typeof it === 'string')
    const [only] = values
    if (only === undefined) continue
    const claim = Object.hasOwn(claimNames, name) ? claimNames[name] : undefined
    if (claim !== undefined && text(only) !== null) claims[claim] = only
    else if (name === verified) claims['phone_number_verified'] = only === 'true'
    else if (isAttributeName(name)) others[name] = values.length === 1 ? only : values
    else unfit = true
  }
  if (claims['phone_number'] === undefined) delete claims['phone_number_verified']
  const tooMuch = attributesProblem(others) !== null
  return { claims, others: tooMuch ? {} : others, unfit: unfit || tooMuch }
}
