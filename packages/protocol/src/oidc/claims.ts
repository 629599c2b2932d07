/** Claims about people: OIDC Core §5.1, §5.4, and the `claims` request parameter, §5.5. */
import type { Scope } from '../oauth/scope.ts'
import { parseJsonObject } from '../http/json-text.ts'
import type { Json, JsonObject } from '../types.ts'

/** OIDC Core §5.4: the claims of each scope. */
export const scopeClaims: Readonly<Record<string, readonly string[]>> = Object.freeze({
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
})

/** All claims that can be given about a person: other data of a directory are never sent. */
export const personClaims: ReadonlySet<string> = new Set(Object.values(scopeClaims).flat())

/** OIDC Core §5.1: most claims are strings; a few are not. */
export function claimKind(name: string): 'boolean' | 'seconds' | 'object' | 'text' {
  if (name.endsWith('_verified')) return 'boolean'
  if (name === 'updated_at') return 'seconds'
  return name === 'address' ? 'object' : 'text'
}

/** Claims of the sign-in itself, which need no consent. */
export const sessionClaims: ReadonlySet<string> = new Set(['sub', 'auth_time', 'acr', 'amr', 'sid', 'nonce'])

export const claimsOfScope = (scope: Scope): ReadonlySet<string> =>
  new Set([...scope].flatMap((name) => (Object.hasOwn(scopeClaims, name) ? (scopeClaims[name] ?? []) : [])))

/** OIDC Core §5.5.1. Null is a voluntary claim without conditions. */
export type ClaimRequest = {
  readonly essential?: boolean
  readonly value?: Json
  readonly values?: readonly Json[]
} | null
export type ClaimsRequest = {
  readonly userinfo: Readonly<Record<string, ClaimRequest>>
  readonly id_token: Readonly<Record<string, ClaimRequest>>
}

/** Null where the text is not a claims request. Unknown names are ignored (§5.5). */
export function parseClaims(text: string): ClaimsRequest | null {
  const whole = parseJsonObject(text)
  if (whole === null) return null
  const userinfo = claimRequests(whole['userinfo'])
  const idToken = claimRequests(whole['id_token'])
  return userinfo === null || idToken === null ? null : { userinfo, id_token: idToken }
}

/** The claims of a grant as they were stored. */
export const claimsRequest = (stored: JsonObject | null): ClaimsRequest => ({
  userinfo: {},
  id_token: {},
  ...(stored as unknown as Partial<ClaimsRequest> | null),
})

/** The claims that pass the condition. */
const picked = (request: ClaimsRequest, passes: (name: string) => boolean): ClaimsRequest => {
  const of = (member: ClaimsRequest['userinfo']) =>
    Object.fromEntries(Object.entries(member).filter(([name]) => passes(name)))
  return { userinfo: of(request.userinfo), id_token: of(request.id_token) }
}

/**
 * The part of a request that a client may make: claims about a person belong to scopes, and it has only those it is
 * registered for. The others are ignored, like unknown claims (OIDC Core §5.5).
 */
export function claimsWithin(request: ClaimsRequest, registered: Scope): ClaimsRequest {
  const allowed = claimsOfScope(registered)
  return picked(request, (name) => allowed.has(name) || sessionClaims.has(name))
}

/** The part of a request that remains when the scopes of its claims are lost. */
export function claimsWithout(request: ClaimsRequest, lost: Scope): ClaimsRequest {
  const gone = claimsOfScope(lost)
  return picked(request, (name) => !gone.has(name))
}

/** The requested names that reveal data about the person, and so need consent. */
export const claimNames = ({ userinfo, id_token: idToken }: ClaimsRequest): ReadonlySet<string> =>
  new Set([...Object.keys(userinfo), ...Object.keys(idToken)].filter((name) => personClaims.has(name)))

function claimRequests(member: unknown): Readonly<Record<string, ClaimRequest>> | null {
  if (member === undefined || member === null) return {}
  if (typeof member !== 'object' || Array.isArray(member)) return null
  const found: [string, ClaimRequest][] = []
  for (const [name, claim] of Object.entries(member)) {
    const read = parseClaimRequest(claim)
    if (read === undefined) return null
    if (personClaims.has(name) || sessionClaims.has(name)) found.push([name, read])
  }
  return Object.fromEntries(found)
}

function parseClaimRequest(claim: unknown): ClaimRequest | undefined {
  if (claim === null) return null
  if (typeof claim !== 'object' || Array.isArray(claim)) return undefined
  const { essential, value, values } = claim as Readonly<Record<string, unknown>>
  if (essential !== undefined && typeof essential !== 'boolean') return undefined
  if (value !== undefined && !isScalar(value)) return undefined
  if (values !== undefined && !(Array.isArray(values) && values.length <= 50 && values.every(isScalar)))
    return undefined
  return {
    ...(essential === undefined ? {} : { essential }),
    ...(value === undefined ? {} : { value }),
    ...(values === undefined ? {} : { values }),
  }
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)
