/** /v1/groups: groups of people, with their members and roles. */
import { type ActionPlan, collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import { groupLimits, roleLimits } from '@grantor/protocol/people'
import type { GroupRow } from '@grantor/store'
import { Type } from 'typebox'
import { actorOf, adminProblem, found, listed, removed } from '../admin-problem.ts'
import { filterValue, iso, tenantOf, time } from '../fields.ts'
import { changesRoles, mayGiveRoles, rolesRefused } from '../rights/giving-roles.ts'
import { shownVersion, storedVersion } from '../shown-version.ts'

const GroupSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 64 }),
  name: Type.String({ minLength: 1, maxLength: groupLimits.nameLength, description: 'One of a kind in the tenant' }),
  description: Type.Optional(Type.String({ maxLength: 1000 })),
  external_id: Type.Optional(
    Type.String({ maxLength: groupLimits.externalIdLength, description: 'What a provisioning system calls it' }),
  ),
  roles: Type.Array(Type.String({ maxLength: roleLimits.nameLength }), {
    default: [],
    maxItems: roleLimits.ofTenant,
    description: 'What every member holds by it; to change it, or who is a member, takes admin:roles:write too',
  }),
  member: Type.Optional(
    Type.String({ readOnly: true, maxLength: 64, description: 'Only in a list of the groups of one person' }),
  ),
  role: Type.Optional(
    Type.String({
      readOnly: true,
      maxLength: roleLimits.nameLength,
      description: 'Only in a list of the groups that have one role',
    }),
  ),
  created_at: time('When it was made'),
  changed_at: time('When it or its members were last changed'),
})
type GroupDocument = Type.Static<typeof GroupSchema>
type GroupBody = Pick<GroupDocument, 'name' | 'description' | 'external_id' | 'roles'>

const documentOf = (it: GroupRow): GroupDocument => ({
  id: it.id,
  name: it.name,
  ...(it.description === null ? {} : { description: it.description }),
  ...(it.externalId === null ? {} : { external_id: it.externalId }),
  roles: [...it.roles],
  created_at: iso(it.createdAt),
  changed_at: iso(it.changedAt),
})

const entryOf = (group: GroupRow): StoredResource<GroupDocument> => ({
  tenant: group.tenant,
  // A removed role disappears from every group without a new stored version, so the ETag includes the roles.
  version: shownVersion(group.version, { roles: group.roles }),
  value: documentOf(group),
})

const inputOf = ({ name, description, external_id: externalId, roles }: GroupBody) => ({
  name,
  description: description ?? null,
  externalId: externalId ?? null,
  roles,
})

export function groups({ admin }: Authority): Collection {
  const acts = admin.groups
  return collection<typeof GroupSchema, GroupBody>({
    name: 'groups',
    description: 'Groups of people',
    schema: GroupSchema,
    example: exampleGroup,
    scopes: { read: 'admin:groups:read', write: 'admin:groups:write' },
    cacheControl: 'no-store',
    list: {
      filter: { name: ['eq', 'prefix'], external_id: ['eq'], member: ['eq'], role: ['eq'] },
      sort: ['name'],
      order: 'name',
      fixedOrder: true,
    },
    handlers: {
      async list({ take, filter, after }, context) {
        const result = await acts.search(tenantOf(context), {
          name: filterValue(filter, 'name'),
          prefix: filterValue(filter, 'name', 'prefix') ?? '',
          member: filterValue(filter, 'member'),
          role: filterValue(filter, 'role'),
          externalId: filterValue(filter, 'external_id'),
          after: after === null ? null : { name: String(after[0]), id: String(after[1]) },
          limit: take,
        })
        return listed(result, entryOf)
      },
      get: async (id, context) => found(await acts.find(tenantOf(context), id), (it) => entryOf(it)),
      async create(body, context) {
        if (changesRoles(body.roles) && !mayGiveRoles(context.caller)) return rolesRefused
        const made = await acts.create(actorOf(context.caller), tenantOf(context), inputOf(body))
        return made.kind === 'ok' ? entryOf(made.value) : adminProblem(made.error)
      },
      async update(id, { body, expected, before }, context) {
        // Directories fill groups by name: renaming a group could give its roles to other people.
        const isMoved = body.name !== before.name && changesRoles(before.roles)
        if ((isMoved || changesRoles(body.roles, before.roles)) && !mayGiveRoles(context.caller)) return rolesRefused
        const change = { id, version: Number(storedVersion(expected)), ...inputOf(body) }
        const done = await acts.change(actorOf(context.caller), tenantOf(context), change)
        if (done.kind === 'ok') return entryOf(done.value)
        const { reason } = done.error
        return reason === 'conflict' || reason === 'absent' ? 'changed' : adminProblem(done.error)
      },
      async remove(id, expected, context) {
        const held = await acts.find(tenantOf(context), id)
        if (held.kind === 'ok' && changesRoles(held.value.roles) && !mayGiveRoles(context.caller)) return rolesRefused
        const which = { id, version: Number(storedVersion(expected)) }
        return removed(await acts.remove(actorOf(context.caller), tenantOf(context), which))
      },
    },
    actions: { 'change-members': changeMembers(admin) },
  })
}

const person = Type.String({ maxLength: 64 })
const people = (description: string) =>
  Type.Optional(Type.Union([person, Type.Array(person, { maxItems: groupLimits.membersOfCall })], { description }))

type People = string | readonly string[]
const list = (of: People = []): readonly string[] => (typeof of === 'string' ? [of] : of)

const changeMembers = ({ groups: acts }: Authority['admin']): ActionPlan<GroupDocument> => ({
  on: 'item',
  scope: 'admin:groups:write',
  summary: 'Put people into a group, or take them out of it; what they lose by it they lose at once',
  body: Type.Object({ add: people('Ids of people who come in'), remove: people('Ids of people who leave') }),
  example: { add: ['0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f'] },
  async run(body: { readonly add?: People; readonly remove?: People }, context, entry) {
    // Members get the roles of the group.
    if (changesRoles(entry?.value.roles) && !mayGiveRoles(context.caller)) return rolesRefused
    const done = await acts.change(actorOf(context.caller), tenantOf(context), {
      id: entry?.value.id ?? '',
      version: null,
      addMembers: list(body.add),
      removeMembers: list(body.remove),
    })
    return done.kind === 'ok' ? null : adminProblem(done.error)
  },
})

const exampleGroup: GroupDocument = {
  id: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e10',
  name: 'Bookkeeping',
  roles: ['bookkeeper'],
  created_at: '2026-11-15T10:00:00.000Z',
  changed_at: '2026-11-15T10:00:00.000Z',
}
