/** The facts of a token that is about to be issued, for policy services and hooks. */
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
  /** Null where the client acts for itself. */
  readonly person: Person | null
  /** The `sub` that the token will have. */
  readonly subject: string
  readonly resource: Resource
  readonly scope: Scope
  /** Additional claims of the token, of which `acr` and `auth_time` are sent. */
  readonly claims: JsonObject
}

/** The claims of the sign-in that the token is based on. */
export function signInOf({ claims }: IssuanceQuestion): JsonObject {
  const { acr, auth_time: at } = claims
  return { ...(acr === undefined ? {} : { acr }), ...(at === undefined ? {} : { auth_time: at }) }
}

/** The person, with the data that policies need: no profile, no address. */
export const personOf = ({ person }: IssuanceQuestion): JsonObject =>
  person === null
    ? {}
    : {
        username: person.username,
        roles: [...(person.roles ?? [])],
        groups: [...(person.groups ?? [])],
        attributes: person.attributes ?? {},
      }
