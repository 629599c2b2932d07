/** Imports the objects that people refer to: APIs with scopes and roles, groups, providers. Changes no existing one. */
import type { AdminError, Declaration } from '@grantor/authority'
import type { Catalogue } from '@grantor/protocol/oauth'
import { groupKey } from '@grantor/protocol/people'
import { type ProviderKind, providerPresets } from '@grantor/protocol/providers'
import { defaultTenant, type JsonObject, type TenantId } from '@grantor/protocol/types'
import type { Deployment } from '@grantor/server'
import { adminFailure } from '../program/exit.ts'
import { operator } from '../program/operator.ts'
import { type ImportedData, type ImportedGroup, text } from './source.ts'

export interface CarriedObject {
  readonly kind: 'resource' | 'scope' | 'role' | 'group' | 'provider' | 'client'
  readonly id: string
  readonly act: 'create' | 'present' | 'refused'
  /** The reasons of a refusal. */
  readonly problems: readonly string[]
}

export interface CarryContext {
  readonly tenant: TenantId
  /** Changes nothing. */
  readonly plan: boolean
  readonly authority: Deployment['authority']
  /** The catalogue before the import. */
  readonly catalogue: Catalogue
}

/** The objects that exist after the import, or would exist. */
export interface Holdings {
  readonly roles: ReadonlySet<string>
  /** Normalized names of groups. */
  readonly groups: ReadonlySet<string>
  /** Issuers of providers, by provider id. */
  readonly issuers: ReadonlyMap<string, string>
  /** APIs and scopes that do not exist yet. */
  readonly missing: Pick<Declaration, 'resources' | 'scopes'>
  readonly objects: readonly CarriedObject[]
}

type Objects = Pick<ImportedData, 'resources' | 'scopes' | 'roles' | 'groups' | 'providers'>

export async function carryObjects(data: Objects, context: CarryContext): Promise<Holdings> {
  const apis = await carryApis(data, context)
  const groups: CarriedObject[] = []
  for (const group of data.groups) groups.push(await carryGroup(group, apis.roles, context))
  const providers: CarriedObject[] = []
  const held = context.catalogue.tenant.providers ?? []
  const issuers = new Map(held.map(({ id, issuer }) => [id, issuer]))
  for (const provider of data.providers) {
    const carried = await carryProvider(provider, context)
    providers.push(carried)
    if (carried.act === 'create') issuers.set(carried.id, issuerOf(provider))
  }
  const joined = groups.filter(({ act }) => act !== 'refused').map(({ id }) => groupKey(id))
  return { ...apis, groups: new Set(joined), issuers, objects: [...apis.objects, ...groups, ...providers] }
}

const issuerOf = ({ issuer, kind }: JsonObject): string =>
  text(issuer) ?? providerPresets[kind as ProviderKind].issuer ?? ''

export const inTenant = (tenant: TenantId, objects: Declaration): Declaration =>
  tenant === defaultTenant ? objects : { tenants: [{ id: tenant, ...(objects as JsonObject) }] }

/** Imports all of them in one commit or none, because a role needs its scopes. */
async function carryApis(
  data: Pick<ImportedData, 'resources' | 'scopes' | 'roles'>,
  { tenant, plan, authority, catalogue }: CarryContext,
): Promise<Pick<Holdings, 'roles' | 'missing' | 'objects'>> {
  const here = {
    resource: new Set(catalogue.resources.map(({ identifier }) => identifier)),
    scope: new Set(catalogue.scopes.map(({ name }) => name)),
    role: new Set((catalogue.roles ?? []).map(({ name }) => name)),
  }
  const all = [
    ...data.resources.map((value) => ({ kind: 'resource' as const, id: text(value['identifier']) ?? '', value })),
    ...data.scopes.map((value) => ({ kind: 'scope' as const, id: text(value['name']) ?? '', value })),
    ...data.roles.map((value) => ({ kind: 'role' as const, id: text(value['name']) ?? '', value })),
  ]
  const missing = all.filter(({ kind, id }) => !here[kind].has(id))
  const of = (wanted: string) => missing.filter(({ kind }) => kind === wanted).map(({ value }) => value)
  const objects = { resources: of('resource'), scopes: of('scope'), roles: of('role') }
  const wanted = inTenant(tenant, objects)
  const { declared } = authority.admin
  const carried =
    missing.length === 0 ? null : await (plan ? declared.plan(wanted) : declared.apply(operator(), wanted))
  const refused = carried?.kind === 'error'
  const problems = refused ? problemsOf(carried.error) : []
  return {
    roles: new Set([...here.role, ...(refused ? [] : objects.roles.map(({ name }) => text(name) ?? ''))]),
    missing: refused ? {} : { resources: objects.resources, scopes: objects.scopes },
    objects: all.map(({ kind, id }, at) => {
      if (here[kind].has(id)) return { kind, id, act: 'present', problems: [] }
      return { kind, id, act: refused ? 'refused' : 'create', problems: at === 0 ? problems : [] }
    }),
  }
}

export function problemsOf(error: AdminError): readonly string[] {
  const { what, where } = adminFailure(error).error
  return where.length > 0 ? where : [what]
}

async function carryGroup(
  { name, roles }: ImportedGroup,
  known: ReadonlySet<string>,
  { tenant, plan, authority }: CarryContext,
): Promise<CarriedObject> {
  const { groups } = authority.admin
  const carried = (act: CarriedObject['act'], problems: readonly string[] = []): CarriedObject => ({
    kind: 'group',
    id: name,
    act,
    problems,
  })
  if ((await groups.byName(tenant, name)).kind === 'ok') return carried('present')
  if (plan) return carried('create')
  const made = await groups.create(operator(), tenant, { name, roles: roles.filter((role) => known.has(role)) })
  return made.kind === 'ok' ? carried('create') : carried('refused', problemsOf(made.error))
}

async function carryProvider(
  provider: JsonObject,
  { tenant, plan, authority, catalogue }: CarryContext,
): Promise<CarriedObject> {
  const id = text(provider['id']) ?? ''
  const isHere = catalogue.tenant.providers?.some((it) => it.id === id) === true
  if (isHere) return { kind: 'provider', id, act: 'present', problems: [] }
  const wanted = inTenant(tenant, { providers: [provider] })
  const { declared } = authority.admin
  const carried = await (plan ? declared.plan(wanted) : declared.apply(operator(), wanted))
  if (carried.kind === 'ok') return { kind: 'provider', id, act: 'create', problems: [] }
  return { kind: 'provider', id, act: 'refused', problems: problemsOf(carried.error) }
}
