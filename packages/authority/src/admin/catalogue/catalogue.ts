/** Administration of a tenant's APIs, scopes and roles: each is put or dropped as a whole, at a version. */
import { hash } from 'node:crypto'
import type { Actor, EventName } from '@grantor/protocol/events'
import { type Catalogue, findResource, type Resource, type ScopeEntry } from '@grantor/protocol/oauth'
import { type Role, roleLimits } from '@grantor/protocol/people'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { DirectoryChange, Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import { type ResourceContext, resourceInput, respelled } from '../declared/resource-input.ts'
import { roleInput, roleProblems } from '../declared/roles/role-input.ts'
import { scopeInput } from '../declared/scope-input.ts'
import { noSurplus, surplusProblems } from '../declared/surplus.ts'
import type { ReportProblem } from '../declared/user-input.ts'
import type { AdminError, AdminResult, FieldProblem } from '../result.ts'
import { nothingElse } from './directory-change.ts'

/** The current value, with the version that a change must name. */
export interface Versioned<T> {
  readonly value: T
  readonly version: string
}

/** `expected` is the version to be changed; null creates the object, which must not exist yet. */
interface Put {
  readonly input: JsonObject
  readonly expected: string | null
}

export interface CatalogueKind<T> {
  list(tenant: TenantId): Promise<AdminResult<readonly Versioned<T>[]>>
  put(by: Actor, tenant: TenantId, put: Put): Promise<AdminResult<Versioned<T>>>
  drop(
    by: Actor,
    tenant: TenantId,
    which: { readonly id: string; readonly expected: string },
  ): Promise<AdminResult<null>>
}

export interface CatalogueAdmin {
  readonly resources: CatalogueKind<Resource>
  readonly scopes: CatalogueKind<ScopeEntry>
  readonly roles: CatalogueKind<Role>
}

export interface CatalogueAdminDependencies extends EventDependencies, Pick<ResourceContext, 'served'> {
  readonly store: Pick<Store, 'directory'>
}

/** The differences between resources, scopes and roles. */
interface Kind<T> {
  readonly noun: string
  readonly event: EventName
  readonly key: 'identifier' | 'name'
  idOf(it: T): string
  held(catalogue: Catalogue): readonly T[]
  read(input: JsonObject, report: ReportProblem): T | null
  /** Why the object may not be put into the catalogue. */
  misplaced(it: T, catalogue: Catalogue): readonly FieldProblem[]
  /** Problems of the objects that would lose what they refer to if this one were dropped. */
  needed(it: T, catalogue: Catalogue): readonly FieldProblem[]
  putting(it: T): Partial<DirectoryChange>
  dropping(id: string): Partial<DirectoryChange>
}

const resources = (served: ResourceContext['served']): Kind<Resource> => ({
  noun: 'resource',
  event: 'admin.resource_changed',
  key: 'identifier',
  idOf: (it) => it.identifier,
  held: (it) => it.resources,
  read: (input, report) => resourceInput(input, { at: '', served }, report),
  misplaced(it, catalogue) {
    const isThere = catalogue.resources.some(({ identifier }) => identifier === it.identifier)
    const problem = isThere ? null : respelled(it, catalogue)
    return problem === null ? [] : [{ field: 'identifier', problem }]
  },
  needed: (it, catalogue) => surplusProblems({ ...noSurplus, resources: [it] }, catalogue),
  putting: (it) => ({ putResources: [it] }),
  dropping: (id) => ({ dropResources: [id] }),
})

const scopes: Kind<ScopeEntry> = {
  noun: 'scope',
  event: 'admin.scope_changed',
  key: 'name',
  idOf: (it) => it.name,
  held: (it) => it.scopes,
  read(input, report) {
    const read = scopeInput(input, '', report)
    if (read === null) return null
    const { field: _field, ...scope } = read
    return scope
  },
  misplaced: ({ resource }, catalogue) =>
    resource === null || findResource(catalogue, resource) !== null
      ? []
      : [{ field: 'resource', problem: 'names a resource that is not declared' }],
  needed: () => [],
  putting: (it) => ({ putScopes: [it] }),
  dropping: (id) => ({ dropScopes: [id] }),
}

const roles: Kind<Role> = {
  noun: 'role',
  event: 'admin.role_changed',
  key: 'name',
  idOf: (it) => it.name,
  held: (it) => it.roles ?? [],
  read(input, report) {
    const read = roleInput(input, '', report)
    if (read === null) return null
    const { field: _field, ...role } = read
    return role
  },
  misplaced: (it, catalogue) => [...roleProblems(it, catalogue), ...tooMany(it, catalogue)],
  needed: () => [],
  putting: (it) => ({ putRoles: [it] }),
  dropping: (id) => ({ dropRoles: [id] }),
}

/** Limited, because all roles of a tenant are kept in memory. */
const tooMany = ({ name }: Role, { roles: held = [] }: Catalogue): readonly FieldProblem[] =>
  held.length < roleLimits.ofTenant || held.some((it) => it.name === name)
    ? []
    : [{ field: 'name', problem: `would be one role more than the ${roleLimits.ofTenant} that a tenant may have` }]

const maxAttempts = 5

/** Keys are sorted, because a database may return them in another order. */
const versionOf = (it: object): string => hash('sha256', JSON.stringify(ordered(it)), 'base64url').slice(0, 16)

const ordered = (it: unknown): unknown => {
  if (Array.isArray(it)) return it.map(ordered)
  if (typeof it !== 'object' || it === null) return it
  const entries = Object.entries(it).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, value]) => [name, ordered(value)]))
}

const versioned = <T extends object>(value: T): Versioned<T> => ({ value, version: versionOf(value) })

export const openCatalogueAdmin = (deps: CatalogueAdminDependencies): CatalogueAdmin => ({
  resources: openKind(resources(deps.served), deps),
  scopes: openKind(scopes, deps),
  roles: openKind(roles, deps),
})

function openKind<T extends object>(kind: Kind<T>, deps: CatalogueAdminDependencies): CatalogueKind<T> {
  const { store, clock } = deps

  /**
   * Plans on one revision of the tenant and applies to that revision; if the tenant changed in between, plans again.
   */
  async function change<R>(
    tenant: TenantId,
    plan: (
      catalogue: Catalogue,
    ) => Result<{ readonly part: Partial<DirectoryChange>; readonly outcome: R }, AdminError>,
    about: { readonly by: Actor; readonly data: JsonObject },
  ): Promise<AdminResult<R>> {
    for (let tries = 0; tries < maxAttempts; tries++) {
      const catalogue = await store.directory.catalogue(tenant)
      if (catalogue === null) return err({ reason: 'absent', what: `tenant ${tenant}` })
      const planned = plan(catalogue)
      if (planned.kind === 'error') return planned
      const { revision } = catalogue.tenant
      const events = [newEvent(deps, localOrigin(tenant), kind.event, { actor: about.by, data: about.data })]
      const whole = { ...nothingElse, ...planned.value.part, tenant, expected: revision, at: clock.now(), events }
      if ((await store.directory.apply([whole])) === 'applied') return ok(planned.value.outcome)
    }
    return err({ reason: 'conflict', what: `the ${kind.noun}s kept changing; look before trying again` })
  }

  const find = (catalogue: Catalogue, id: string): T | undefined =>
    kind.held(catalogue).find((it) => kind.idOf(it) === id)

  return {
    async list(tenant) {
      const catalogue = await store.directory.catalogue(tenant)
      return catalogue === null
        ? err({ reason: 'absent', what: `tenant ${tenant}` })
        : ok(kind.held(catalogue).map((it) => versioned(it)))
    },

    async put(by, tenant, { input, expected }) {
      const problems: FieldProblem[] = []
      const read = kind.read(input, (field, problem) => {
        problems.push({ field: field.replace(/^\./, ''), problem })
        return null
      })
      if (read === null || problems.length > 0) return err({ reason: 'invalid', problems })
      const id = kind.idOf(read)
      return change(
        tenant,
        (catalogue) => {
          const held = find(catalogue, id)
          if (expected === null && held !== undefined) return err({ reason: 'exists', what: `${kind.noun} ${id}` })
          if (expected !== null && (held === undefined || versionOf(held) !== expected)) return changed(kind.noun, id)
          const misplaced = kind.misplaced(read, catalogue)
          if (misplaced.length > 0) return err({ reason: 'invalid', problems: misplaced })
          return ok({ part: kind.putting(read), outcome: versioned(read) })
        },
        { by, data: { [kind.key]: id } },
      )
    },

    drop: (by, tenant, { id, expected }) =>
      change(
        tenant,
        (catalogue) => {
          const held = find(catalogue, id)
          if (held === undefined) return err({ reason: 'absent', what: `${kind.noun} ${id}` })
          if (versionOf(held) !== expected) return changed(kind.noun, id)
          const needed = kind.needed(held, catalogue)
          return needed.length > 0
            ? err({ reason: 'invalid', problems: needed })
            : ok({ part: kind.dropping(id), outcome: null })
        },
        { by, data: { [kind.key]: id, removed: true } },
      ),
  }
}

const changed = (noun: string, id: string) =>
  err<AdminError>({ reason: 'conflict', what: `${noun} ${id} was changed meanwhile; look before trying again` })
