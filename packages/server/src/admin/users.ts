/** /v1/users: the people of a tenant. */
import {
  type ActionPlan,
  collection,
  type Collection,
  type PageQuery,
  type RequestContext,
  type StoredResource,
} from '@grantor/api'
import type { Authority, PersonRecord } from '@grantor/authority'
import { Type } from 'typebox'
import { invitations, invite, revokeInvitation } from './people/invitations.ts'
import { removeSignInMethod, signInMethods } from './people/sign-in-methods.ts'
import { actorOf, adminProblem, found, invalidFilter, listed, removed } from './admin-problem.ts'
import { endsAccess, receiptLink } from './event-log/receipt-link.ts'
import { filterValue, tenantOf } from './fields.ts'
import { changesRoles, mayGiveRoles, rolesRefused } from './rights/giving-roles.ts'
import { shownVersion, storedVersion } from './shown-version.ts'
import { exampleUser, personOf, type UserBody, type UserDocument, userDocument, UserSchema } from './user.ts'

/** Roles and groups change without a new version of the person, so the ETag includes them. */
function entryOf(person: PersonRecord): StoredResource<UserDocument> {
  const value = userDocument(person)
  const { roles, all_roles, groups } = value
  return { tenant: person.tenant, version: shownVersion(person.version, { roles, all_roles, groups }), value }
}

/** A search for people by group, role, username and email; null matches any. */
interface Holding {
  readonly group: string | null
  readonly role: string | null
  readonly username: string | null
  readonly email: string | null
}

export function users({ admin }: Authority): Collection {
  const acts = admin.users

  /** Sorted by id: a group may contain all people of a tenant, too many to sort for a page. */
  async function holding(which: Holding, { after, take }: Pick<PageQuery, 'after' | 'take'>, context: RequestContext) {
    const { group, role } = which
    const page = { ...which, after: after === null ? null : String(after[1]), limit: take }
    const people = await acts.holding(tenantOf(context), page)
    if (people.kind === 'error') return adminProblem(people.error)
    const asked = { ...(group === null ? {} : { group_id: group }), ...(role === null ? {} : { role }) }
    return people.value.map((it) => {
      const entry = entryOf(it)
      return { ...entry, value: { ...entry.value, ...asked } }
    })
  }

  return collection<typeof UserSchema, UserBody>({
    name: 'users',
    description: 'People who sign in',
    schema: UserSchema,
    example: exampleUser,
    scopes: { read: 'admin:users:read', write: 'admin:users:write' },
    cacheControl: 'no-store',
    list: {
      filter: { username: ['eq', 'prefix'], email: ['eq'], group_id: ['eq'], role: ['eq'] },
      sort: ['username'],
      order: 'username',
      fixedOrder: true,
    },
    statusLink: (before, after) => (endsAccess(before, after) ? receiptLink({ subject: before.id }) : null),
    handlers: {
      async list({ take, filter, after }, context) {
        const [group, role] = [filterValue(filter, 'group_id'), filterValue(filter, 'role')]
        const [username, prefix] = [filterValue(filter, 'username'), filterValue(filter, 'username', 'prefix')]
        const email = filterValue(filter, 'email')
        if (group !== null || role !== null) {
          // No index has the members of a group by username, so a prefix would have to be searched among all of them.
          if (prefix !== null) return invalidFilter(['username[prefix]', group === null ? 'role' : 'group_id'], apart)
          return holding({ group, role, username, email }, { after, take }, context)
        }
        const last = after === null ? null : String(after[0])
        const search = { username, prefix: prefix ?? '', email, after: last, limit: take }
        return listed(await acts.search(tenantOf(context), search), entryOf)
      },
      get: async (id, context) => found(await acts.find(tenantOf(context), id), (it) => entryOf(it)),
      async create(body, context) {
        if (changesRoles(body.roles) && !mayGiveRoles(context.caller)) return rolesRefused
        const made = await acts.create(actorOf(context.caller), tenantOf(context), {
          ...personOf(body),
          password: null,
        })
        if (made.kind === 'error') return adminProblem(made.error)
        const found = await acts.find(tenantOf(context), made.value.id)
        return found.kind === 'ok' ? entryOf(found.value) : adminProblem(found.error)
      },
      async update(id, { body, expected, before }, context) {
        if (changesRoles(body.roles, before.roles) && !mayGiveRoles(context.caller)) return rolesRefused
        const change = { id, version: Number(storedVersion(expected)), ...personOf(body) }
        const replaced = await acts.replace(actorOf(context.caller), tenantOf(context), change)
        if (replaced.kind === 'ok') return entryOf(replaced.value)
        const { reason } = replaced.error
        return reason === 'conflict' || reason === 'absent' ? 'changed' : adminProblem(replaced.error)
      },
      async remove(id, expected, context) {
        const which = { id, version: Number(storedVersion(expected)) }
        return removed(await acts.remove(actorOf(context.caller), tenantOf(context), which))
      },
    },
    views: { 'sign-in-methods': signInMethods(admin) },
    actions: {
      'reset-password': resetPassword(admin),
      'reset-factors': resetFactors(admin),
      'remove-sign-in-method': removeSignInMethod(admin),
      invite: invite(admin),
      invitations: invitations(admin),
      'revoke-invitation': revokeInvitation(admin),
    },
  })
}

const apart = 'These two do not go together. Ask for one of them, or by the whole username.'

const resetPassword = ({ users: acts }: Authority['admin']): ActionPlan<UserDocument> => ({
  on: 'item',
  scope: 'admin:users:write',
  summary: 'Give somebody another password, or mail them a link to choose one; every session ends with the first',
  body: Type.Object({
    password: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: 'For the next sign-in, which asks for another' }),
    ),
  }),
  example: { password: 'correct-horse-battery' },
  statusLink: ({ password }: { readonly password?: string }, _result, entry) =>
    entry === null || password === undefined ? null : receiptLink({ subject: entry.value.id }),
  async run({ password }: { readonly password?: string }, context, entry) {
    const username = entry?.value.username ?? ''
    const by = actorOf(context.caller)
    const done =
      password === undefined
        ? await acts.mailReset(by, tenantOf(context), username)
        : await acts.resetPassword(by, tenantOf(context), { username, password, mustChange: true })
    return done.kind === 'ok' ? null : adminProblem(done.error)
  },
})

const resetFactors = ({ users: acts }: Authority['admin']): ActionPlan<UserDocument> => ({
  on: 'item',
  scope: 'admin:users:write',
  summary: 'Forget passkeys, authenticator app, recovery codes and remembered browsers',
  body: Type.Object({}),
  example: {},
  async run(_body: never, context, entry) {
    const done = await acts.resetFactors(actorOf(context.caller), tenantOf(context), entry?.value.username ?? '')
    if (done.kind === 'ok' || done.error.reason === 'absent') return null
    return adminProblem(done.error)
  },
})
