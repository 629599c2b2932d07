/** A person as the admin API shows them: claims by the names of OIDC Core §5.1, and the server's own members. */
import type { PersonRecord } from '@grantor/authority'
import { textLimits } from '@grantor/protocol/oauth'
import { claimKind, personClaims } from '@grantor/protocol/oidc'
import { administratorKinds, groupLimits, roleLimits } from '@grantor/protocol/people'
import type { JsonObject } from '@grantor/protocol/types'
import { type TOptional, type TSchema, Type } from 'typebox'
import { iso, isoIf, time } from './fields.ts'

const claimSchemas = {
  boolean: Type.Boolean(),
  seconds: Type.Integer({ description: 'Seconds since 1970' }),
  object: Type.Object({}, { additionalProperties: true }),
  text: Type.String({ maxLength: textLimits.claim }),
} as const

const claims = Object.fromEntries(
  [...personClaims].map((name) => [name, Type.Optional(claimSchemas[claimKind(name)] as TSchema)]),
) as Readonly<Record<string, TOptional>>

export const UserSchema = Type.Object({
  ...claims,
  id: Type.String({ readOnly: true, maxLength: 64, description: 'The sub of their tokens; never another' }),
  username: Type.String({ minLength: 1, maxLength: 128, description: 'The name they sign in with' }),
  disabled: Type.Boolean({ default: false, description: 'Nobody signs in so, and their tokens are dead' }),
  administrator: Type.Optional(
    Type.Enum([...administratorKinds], { description: 'What they administer of the tenant; absent: nothing' }),
  ),
  roles: Type.Optional(
    Type.Array(Type.String({ maxLength: roleLimits.nameLength }), {
      maxItems: roleLimits.ofTenant,
      description: 'What they were given themselves; to change it takes admin:roles:write too',
    }),
  ),
  attributes: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'What mapped claims are made of' }),
  ),
  all_roles: Type.Optional(
    Type.Array(Type.String(), { readOnly: true, description: 'What they hold, by themselves or by a group' }),
  ),
  groups: Type.Optional(
    Type.Array(Type.String(), { readOnly: true, description: `Names of their groups, ${groupLimits.inToken} at most` }),
  ),
  group_id: Type.Optional(
    Type.String({ readOnly: true, maxLength: 64, description: 'Only in a list of the members of one group, by id' }),
  ),
  role: Type.Optional(
    Type.String({
      readOnly: true,
      maxLength: roleLimits.nameLength,
      description: 'Only in a list of those who were given one role',
    }),
  ),
  must_change_password: Type.Boolean({ readOnly: true, description: 'Their password is for one sign-in' }),
  created_at: time('When the account was made'),
  disabled_at: Type.Optional(time('Since when it is disabled')),
})
export type UserDocument = Type.Static<typeof UserSchema>

/** The body of a request. */
export type UserBody = Pick<UserDocument, 'username' | 'disabled' | 'administrator' | 'roles'> & JsonObject

export const userDocument = (person: PersonRecord): UserDocument => ({
  ...person.claims,
  id: person.id,
  username: person.username,
  disabled: person.disabledAt !== null,
  ...(person.administrator === null ? {} : { administrator: person.administrator }),
  ...(person.ownRoles === undefined ? {} : { roles: [...person.ownRoles] }),
  ...(person.attributes === undefined ? {} : { attributes: person.attributes }),
  ...(person.roles === undefined ? {} : { all_roles: [...person.roles] }),
  ...(person.groups === undefined ? {} : { groups: person.groups.slice(0, groupLimits.inToken) }),
  must_change_password: person.mustChangePassword,
  created_at: iso(person.createdAt),
  ...isoIf('disabled_at', person.disabledAt),
})

/** A request's body as the authority takes it. */
export const personOf = ({ username, disabled, administrator, roles, attributes, ...claims }: UserBody) => ({
  username,
  claims,
  disabled,
  administrator: administrator ?? null,
  roles: roles ?? [],
  attributes: (attributes as JsonObject | undefined) ?? null,
})

const exampleClaims = { name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true }

export const exampleUser: UserDocument = {
  ...exampleClaims,
  id: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f',
  username: 'ada',
  disabled: false,
  must_change_password: false,
  created_at: '2026-11-15T10:00:00.000Z',
}
