/**
 * Objects that exist and are no longer declared. Used only with --prune, and only for the sections that the file has: a
 * file without scopes removes none. Clients that registered themselves or were made by hand, and people, are never
 * removed by a file.
 */
import type { AuthorizationDetailType } from '@grantor/protocol/authorization-details'
import { type Catalogue, type Resource, sameUri, type ScopeEntry } from '@grantor/protocol/oauth'
import { groupKey, type Role } from '@grantor/protocol/people'
import type { Client } from '@grantor/protocol/registration'
import type { StoredProvider } from '@grantor/protocol/providers'
import type { TrustedIssuer } from '@grantor/protocol/trust'
import type { GroupRow } from '@grantor/store'
import type { Announcement, PlanStep, PresentObjects } from './declaration.ts'
import type { FieldProblem } from '../result.ts'
import type { TenantInput } from './input.ts'

export interface Surplus {
  readonly resources: readonly Resource[]
  readonly scopes: readonly ScopeEntry[]
  readonly detailTypes: readonly AuthorizationDetailType[]
  readonly roles: readonly Role[]
  readonly groups: readonly GroupRow[]
  readonly clients: readonly Client[]
  readonly trustedIssuers: readonly TrustedIssuer[]
  readonly providers: readonly StoredProvider[]
}

export const noSurplus: Surplus = {
  resources: [],
  scopes: [],
  detailTypes: [],
  roles: [],
  groups: [],
  clients: [],
  trustedIssuers: [],
  providers: [],
}

export function surplusOf(input: TenantInput, { catalogue, clients, groups }: PresentObjects): Surplus {
  const beyond = <T>(held: readonly T[], wanted: readonly string[] | undefined, key: (it: T) => string): readonly T[] =>
    wanted === undefined ? [] : held.filter((it) => !wanted.includes(key(it)))
  return {
    resources: beyond(
      catalogue?.resources ?? [],
      input.resources?.map((it) => it.identifier),
      (it) => it.identifier,
    ),
    scopes: beyond(
      catalogue?.scopes ?? [],
      input.scopes?.map((it) => it.name),
      (it) => it.name,
    ),
    detailTypes: beyond(
      catalogue?.authorizationDetailTypes ?? [],
      input.detailTypes?.map((it) => it.type),
      (it) => it.type,
    ),
    roles: beyond(
      catalogue?.roles ?? [],
      input.roles?.map((it) => it.name),
      (it) => it.name,
    ),
    groups: beyond(
      [...groups.values()],
      input.groups?.map((it) => groupKey(it.name)),
      (it) => groupKey(it.name),
    ),
    clients: beyond(
      [...clients.values()],
      input.clients?.map((it) => it.id),
      (it) => it.id,
    ).filter((it) => it.origin === 'declared'),
    trustedIssuers: beyond(
      catalogue?.tenant.trustedIssuers ?? [],
      input.trustedIssuers?.map((it) => it.declared.issuer),
      (it) => it.issuer,
    ),
    providers: beyond(
      catalogue?.tenant.providers ?? [],
      input.providers?.map((it) => it.provider.id),
      (it) => it.id,
    ),
  }
}

export const surplusSteps = ({ tenant }: TenantInput, it: Surplus): readonly PlanStep[] => {
  const step = (kind: PlanStep['kind'], id: string): PlanStep => ({ tenant, kind, id, act: 'remove', fields: [] })
  return [
    ...it.clients.map(({ id }) => step('client', id)),
    ...it.detailTypes.map(({ type }) => step('authorization details type', type)),
    ...it.groups.map(({ name }) => step('group', name)),
    ...it.roles.map(({ name }) => step('role', name)),
    ...it.scopes.map(({ name }) => step('scope', name)),
    ...it.resources.map(({ identifier }) => step('resource', identifier)),
    ...it.trustedIssuers.map(({ issuer }) => step('trusted issuer', issuer)),
    ...it.providers.map(({ id }) => step('provider', id)),
  ]
}

export const surplusAnnouncements = (it: Surplus): readonly Announcement[] => [
  ...it.clients.map(({ id }): Announcement => ({ name: 'client.deleted', clientId: id, data: { origin: 'declared' } })),
  ...it.detailTypes.map(({ type }): Announcement => ({
    name: 'admin.details_type_changed',
    clientId: null,
    data: { type, removed: true },
  })),
  ...it.groups.map(({ id, name }): Announcement => ({
    name: 'admin.group_changed',
    clientId: null,
    data: { id, name, removed: true },
  })),
  ...it.roles.map(({ name }): Announcement => ({
    name: 'admin.role_changed',
    clientId: null,
    data: { name, removed: true },
  })),
  ...it.scopes.map(({ name }): Announcement => ({
    name: 'admin.scope_changed',
    clientId: null,
    data: { name, removed: true },
  })),
  ...it.resources.map(({ identifier }): Announcement => ({
    name: 'admin.resource_changed',
    clientId: null,
    data: { identifier, removed: true },
  })),
  ...it.providers.map(({ id }): Announcement => ({
    name: 'admin.provider_changed',
    clientId: null,
    data: { provider: id, removed: true },
  })),
  ...it.trustedIssuers.map(({ issuer }): Announcement => ({
    name: 'admin.trusted_issuer_changed',
    clientId: null,
    data: { issuer, removed: true },
  })),
]

/** A resource cannot be removed while a scope, role or type that stays needs it. */
export const surplusProblems = (it: Surplus, staying: Catalogue): readonly FieldProblem[] =>
  it.resources.flatMap(({ identifier }) => {
    const isIt = (named: string | null): boolean =>
      named === identifier || (named !== null && sameUri(named, identifier))
    // A resource that the file names in another spelling is not surplus.
    if (staying.resources.some((other) => other.identifier !== identifier && isIt(other.identifier))) return []
    const scopes = staying.scopes.filter(({ resource }) => isIt(resource))
    const types = staying.authorizationDetailTypes?.filter(({ resources }) => resources.some(isIt)) ?? []
    const roles = staying.roles?.filter(({ resource }) => isIt(resource)) ?? []
    return [
      ...roles.map(({ name }) => `lacks ${identifier}, to which role ${name} belongs`),
      ...scopes.map(({ name }) => `lacks ${identifier}, to which scope ${name} belongs`),
      ...types.map(({ type }) => `lacks ${identifier}, to which the authorization details of type ${type} belong`),
    ].map((problem) => ({ field: 'resources', problem }))
  })
