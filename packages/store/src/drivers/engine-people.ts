/** The part of the Store for people and their groups. */
import type { Store } from '../contract/store.ts'
import { entriesOf } from '../verbs/entry.ts'
import { memberships } from '../verbs/people/group-members.ts'
import * as groups from '../verbs/people/groups.ts'
import { owners } from '../verbs/people/last-owner.ts'
import { list, taken } from '../verbs/people/user-lists.ts'
import * as numberedUsers from '../verbs/people/numbered-users.ts'
import * as users from '../verbs/people/users.ts'
import type { SetAsideRows } from '../verbs/set-aside.ts'
import type { Engine } from './engine.ts'

export const userStore = (engine: Engine, aside: SetAsideRows): Store['users'] => ({
  byUsername: (tenant, username) => engine.read(users.byUsername(aside, tenant, username)),
  byId: (tenant, id) => engine.read(users.byId(aside, tenant, id)),
  taken: (tenant, names) => engine.read(taken(tenant, names)),
  byEmail: (tenant, email, limit) => engine.read(users.byEmail(aside, tenant, email, limit)),
  byExternalId: (tenant, id, limit) => engine.read(numberedUsers.byExternalId(aside, tenant, id, limit)),
  page: (tenant, page) => engine.read(numberedUsers.page(aside, tenant, page)),
  count: (tenant) => engine.read(numberedUsers.count(tenant)),
  deletionsDue: (now, limit) => engine.read(users.deletionsDue(aside, now, limit)),
  list: (tenant, { after, limit, group = null, role = null, username = null, email = null }) =>
    engine.read(list(aside, tenant, { after: after ?? '', limit, group, role, username, email })),
  owners: (tenant, limit) => engine.read(owners(tenant, limit)),
  hasAdministrator: (tenant, kind) => engine.read(users.hasAdministrator(tenant, kind)),
  administratorNames: (tenant) => engine.read(users.administratorNames(tenant)),
  create: (user, events) => engine.run('users.create', [user, entriesOf(events)]),
  createMany: (many, events) => engine.run('users.createMany', [many, entriesOf(events)]),
  search: (tenant, search) => engine.read(users.search(aside, tenant, search)),
  change: ({ events, ...change }) =>
    change.roles === undefined && change.groups === undefined
      ? engine.run('users.change', [change, entriesOf(events)])
      : engine.run('users.changeMemberships', [change, entriesOf(events)]),
  remove: ({ events, ...removal }) => engine.run('users.remove', [removal, entriesOf(events)]),
})

export const groupStore = (engine: Engine): Store['groups'] => ({
  byId: (tenant, id) => engine.read(groups.byId(tenant, id)),
  byName: (tenant, name) => engine.read(groups.byName(tenant, name)),
  search: (tenant, search) => engine.read(groups.search(tenant, search)),
  members: (tenant, id, { after, limit }) => engine.read(groups.members(tenant, id, { after: after ?? '', limit })),
  byExternalId: (tenant, id, limit) => engine.read(groups.byExternalId(tenant, id, limit)),
  page: (tenant, page) => engine.read(groups.page(tenant, page)),
  count: (tenant) => engine.read(groups.count(tenant)),
  memberships: (tenant, subjects, limit) => engine.read(memberships(tenant, subjects, limit)),
  create: (group, events) => engine.run('groups.create', [group, entriesOf(events)]),
  change: ({ events, ...change }) => engine.run('groups.change', [change, entriesOf(events)]),
  remove: ({ events, ...removal }) => engine.run('groups.remove', [removal, entriesOf(events)]),
})
