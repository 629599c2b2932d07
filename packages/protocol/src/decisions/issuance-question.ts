/** What is told of a token that is about to be issued to whoever decides on it. */
import type { Scope } from '../oauth/scope.ts'
import type { Resource } from '../oauth/tenant.ts'
import type { Person } from '../people/person.ts'
import type { Client } from '../registration/client.ts'
import type { JsonObject, TenantId } from '../types.ts'

export interface IssuanceQuestion {
  readonly tenant: TenantId
  readonly issuer: string
  readonly grantType: string
  readonly client: Client
  /** Null where the client speaks for itself. */
  readonly person: Person | null
  /** The `sub` that the token will have. */
  readonly subject: string
  readonly resource: Resource
  readonly scope: Scope
  /** Further claims of the token, of which those of the sign-in are told: `acr`, `auth_time`. */
  readonly claims: JsonObject
}

/** Of the sign-in that the token rests on. */
export function signInOf({ claims }: IssuanceQuestion): JsonObject {
  const { acr, auth_time: at } = claims
  return { ...(acr === undefined ? {} : { acr }), ...(at === undefined ? {} : { auth_time: at }) }
}

/** Who it is, as far as policies go by it: no profile, no address. */
export const personOf = ({ person }: IssuanceQuestion): JsonObject =>
  person === null
    ? {}
    : {
        username: person.username,
        roles: [...(person.roles ?? [])],
        groups: [...(person.groups ?? [])],
        attributes: person.attributes ?? {},
      }
