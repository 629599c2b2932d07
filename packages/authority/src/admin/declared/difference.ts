/** The difference between what is wanted and what is there: the steps a person reads, and the change the store makes. */
import type { EventName } from '@grantor/protocol/events'
import { findResource } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import type { DirectoryChange } from '@grantor/store'
import { brandingChange } from './branding-input.ts'
import type { Announcement, PlanStep, PresentObjects } from './declaration.ts'
import type { FieldProblem } from '../result.ts'
import { noSurplus, type Surplus, surplusAnnouncements, surplusProblems, surplusSteps } from './surplus.ts'
import type { TenantInput } from './input.ts'
import { clientChanges, type NewClientDependencies } from './clients/difference-clients.ts'
import { afterwards, undeclaredPlaces } from './present/afterwards.ts'
import { roleChanges } from './roles/difference-roles.ts'
import { providerChanges, type ProviderDifferenceDependencies } from '../providers/declared-providers.ts'
import { accountsChange, tenantStep } from './difference-tenant.ts'
import { trustedIssuerChanges } from './difference-trusted-issuers.ts'

export { exportedBranding } from './branding-input.ts'
export { exportedProviders } from '../providers/declared-providers.ts'
export { accountsDocument, profileDocument, pushDocument } from './difference-tenant.ts'
export { noSurplus, surplusOf } from './surplus.ts'

export interface TenantDifference {
  readonly steps: readonly PlanStep[]
  readonly problems: readonly FieldProblem[]
  readonly change: Omit<DirectoryChange, 'events'>
  readonly announcements: readonly Announcement[]
}

export type DifferenceDependencies = NewClientDependencies &
  ProviderDifferenceDependencies & { readonly ids: { id(): string } }

export function differenceOf(
  input: TenantInput,
  present: PresentObjects,
  deps: DifferenceDependencies,
  surplus: Surplus = noSurplus,
): TenantDifference {
  const { tenant } = input
  const steps: PlanStep[] = []
  const problems: FieldProblem[] = []
  const announcements: Announcement[] = []
  const step = (kind: PlanStep['kind'], id: string, before: JsonObject | null, after: JsonObject): boolean => {
    const fields = changedFields(before ?? {}, after)
    if (before !== null && fields.length === 0) return false
    steps.push({ tenant, kind, id, act: before === null ? 'create' : 'change', fields: before === null ? [] : fields })
    return true
  }

  const tenantChanged = tenantStep(input, present, step)
  if (tenantChanged) announcements.push({ name: 'admin.tenant_changed', clientId: null, data: tenantData(input) })

  const known = new Map(present.catalogue?.resources.map((it) => [it.identifier, it]))
  const putResources = (input.resources ?? []).filter((it) =>
    step('resource', it.identifier, show(known.get(it.identifier)), show(it)),
  )
  announcements.push(...putResources.map((it) => about('admin.resource_changed', { identifier: it.identifier })))

  const after = afterwards(input, present, surplus)
  const scopes = new Map(present.catalogue?.scopes.map((it) => [it.name, it]))
  const putScopes = (input.scopes ?? []).flatMap(({ field, ...it }) => {
    if (it.resource !== null && findResource(after, it.resource) === null) {
      problems.push({ field: `${field}.resource`, problem: 'names a resource that is not declared' })
    }
    return step('scope', it.name, show(scopes.get(it.name)), show(it)) ? [it] : []
  })
  announcements.push(...putScopes.map((it) => about('admin.scope_changed', { name: it.name })))

  const held = new Map(present.catalogue?.authorizationDetailTypes?.map((it) => [it.type, it]))
  const putDetailTypes = (input.detailTypes ?? []).flatMap(({ field, ...it }) => {
    problems.push(...undeclaredPlaces(it, after).map((problem) => ({ field: `${field}.resources`, problem })))
    return step('authorization details type', it.type, show(held.get(it.type)), show(it)) ? [it] : []
  })
  announcements.push(...putDetailTypes.map((it) => about('admin.details_type_changed', { type: it.type })))

  const roles = roleChanges(input, present, { step, after, surplus, deps })
  problems.push(...roles.problems)
  announcements.push(...roles.announcements)
  const clients = clientChanges(input, present, { step, problems, deps, after })
  const trusted = trustedIssuerChanges(input, present, { step, surplus })
  const providers = providerChanges(input, present, { step, surplus, vault: deps.vault })
  problems.push(...trusted.problems, ...providers.problems)
  announcements.push(...trusted.announcements, ...providers.announcements)
  announcements.push(...clients.announcements, ...surplusAnnouncements(surplus))
  steps.push(...surplusSteps(input, surplus))
  problems.push(...surplusProblems(surplus, after))
  return {
    steps,
    problems,
    announcements,
    change: {
      tenant,
      expected: present.catalogue?.tenant.revision ?? null,
      ...(input.name === null ? {} : { name: input.name }),
      ...(input.disabled === null ? {} : { disabledAt: input.disabled ? deps.clock.now() : null }),
      ...(input.registration === null ? {} : { registration: input.registration }),
      ...(input.requirePushed === null ? {} : { requirePushed: input.requirePushed }),
      ...(input.profile === null ? {} : { profile: input.profile === 'none' ? null : input.profile }),
      ...(input.branding === null ? {} : { branding: brandingChange(input.branding) }),
      ...(input.accounts === null ? {} : { accounts: accountsChange(input.accounts) }),
      ...(trusted.after === null ? {} : { trustedIssuers: trusted.after }),
      ...(providers.after === null ? {} : { providers: providers.after }),
      putResources,
      dropResources: surplus.resources.map((it) => it.identifier),
      putScopes,
      dropScopes: surplus.scopes.map((it) => it.name),
      putDetailTypes,
      dropDetailTypes: surplus.detailTypes.map((it) => it.type),
      ...roles.change,
      createClients: clients.create,
      replaceClients: clients.replace,
      dropClients: surplus.clients.map(({ id, version }) => ({ id, version })),
      at: deps.clock.now(),
    },
  }
}

const tenantData = (input: TenantInput): JsonObject => ({
  name: input.name,
  disabled: input.disabled,
  cutoff: input.disabled === true,
})

const about = (name: EventName, data: JsonObject): Announcement => ({ name, clientId: null, data })

const show = ((it: object | undefined) => (it === undefined ? null : { ...it })) as {
  (it: object): JsonObject
  (it: object | undefined): JsonObject | null
}

export function changedFields(before: JsonObject, after: JsonObject): PlanStep['fields'] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  return names.flatMap((field) => {
    const [from, to] = [printed(before[field]), printed(after[field])]
    return from === to ? [] : [{ field, from, to }]
  })
}

const printed = (value: JsonObject[string] | undefined): string | null =>
  value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)

export const isEmpty = (difference: TenantDifference): boolean => difference.steps.length === 0
