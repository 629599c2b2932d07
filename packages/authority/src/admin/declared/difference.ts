/**
 * The difference between the declared and the present state: the steps for a person to read, and the change for the
 * store.
 */
import type { JsonObject } from '@grantor/protocol/types'
import type { DirectoryChange } from '@grantor/store'
import type { Announcement, PlanStep, PresentObjects } from './declaration.ts'
import type { FieldProblem } from '../result.ts'
import { noSurplus, type Surplus, surplusAnnouncements, surplusProblems, surplusSteps } from './surplus.ts'
import type { TenantInput } from './input.ts'
import { clientChanges, type NewClientDependencies } from './clients/difference-clients.ts'
import { catalogueChanges } from './difference/catalogue.ts'
import { afterwards } from './present/afterwards.ts'
import { roleChanges } from './roles/difference-roles.ts'
import { providerChanges, type ProviderDifferenceDependencies } from '../providers/declared-providers.ts'
import { tenantChange, tenantStep } from './difference-tenant.ts'
import { trustedIssuerChanges } from './difference-trusted-issuers.ts'

export { exportedBranding } from './branding-input.ts'
export { exportedProviders } from '../providers/declared-providers.ts'
export { accountsDocument, profileDocument } from './difference-tenant.ts'
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
  const step = (kind: PlanStep['kind'], id: string, before: JsonObject | null, after: JsonObject): boolean => {
    const fields = changedFields(before ?? {}, after)
    if (before !== null && fields.length === 0) return false
    steps.push({ tenant, kind, id, act: before === null ? 'create' : 'change', fields: before === null ? [] : fields })
    return true
  }
  const after = afterwards(input, present, surplus)
  const comparison = { step, after, surplus, deps }

  const isTenantChanged = tenantStep(input, present, step)
  const catalogue = catalogueChanges(input, present, comparison)
  const roles = roleChanges(input, present, comparison)
  const clients = clientChanges(input, present, comparison)
  const trusted = trustedIssuerChanges(input, present, comparison)
  const providers = providerChanges(input, present, { ...comparison, vault: deps.vault })
  const parts = [catalogue, roles, clients, trusted, providers]
  return {
    steps: [...steps, ...surplusSteps(input, surplus)],
    problems: [...parts.flatMap((it) => it.problems), ...surplusProblems(surplus, after)],
    announcements: [
      ...(isTenantChanged ? [tenantAnnouncement(input)] : []),
      ...parts.flatMap((it) => it.announcements),
      ...surplusAnnouncements(surplus),
    ],
    change: {
      ...tenantChange(input, deps.clock.now()),
      tenant,
      expected: present.catalogue?.tenant.revision ?? null,
      ...(trusted.after === null ? {} : { trustedIssuers: trusted.after }),
      ...(providers.after === null ? {} : { providers: providers.after }),
      ...catalogue.change,
      ...roles.change,
      ...clients.change,
      at: deps.clock.now(),
    },
  }
}

const tenantAnnouncement = ({ name, disabled }: TenantInput): Announcement => ({
  name: 'admin.tenant_changed',
  clientId: null,
  data: { name, disabled, cutoff: disabled === true },
})

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
