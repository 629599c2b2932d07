/** The difference between what is wanted and what is there: the steps a person reads, and the change the store makes. */
import type { AuthorizationDetailType } from '@grantor/protocol/authorization-details'
import type { EventName } from '@grantor/protocol/events'
import { type Catalogue, findResource, type Resource, type ScopeEntry } from '@grantor/protocol/oauth'
import {
  type Client,
  metadataDocument,
  newClientIdProblem,
  subjectOfPerson,
  undeclaredNames,
} from '@grantor/protocol/registration'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { DirectoryChange } from '@grantor/store'
import { brandingChange } from './branding-input.ts'
import type { Announcement, PlanStep, PresentObjects } from './declaration.ts'
import type { FieldProblem } from '../result.ts'
import { newClient, type NewClientDependencies, secretRow, usesSecret } from '../../clients/new-client.ts'
import { noSurplus, type Surplus, surplusAnnouncements, surplusProblems, surplusSteps } from './surplus.ts'
import type { ClientInput, TenantInput } from './input.ts'
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

export type DifferenceDependencies = NewClientDependencies & ProviderDifferenceDependencies

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
      createClients: clients.create,
      replaceClients: clients.replace,
      dropClients: surplus.clients.map(({ id, version }) => ({ id, version })),
      at: deps.clock.now(),
    },
  }
}

type Step = (kind: PlanStep['kind'], id: string, before: JsonObject | null, after: JsonObject) => boolean

const tenantData = (input: TenantInput): JsonObject => ({
  name: input.name,
  disabled: input.disabled,
  cutoff: input.disabled === true,
})

const about = (name: EventName, data: JsonObject): Announcement => ({ name, clientId: null, data })

/** The catalogue as it will be, for the references of scopes and clients. */
function afterwards(input: TenantInput, present: PresentObjects, surplus: Surplus): Catalogue {
  const merged = <T>(held: readonly T[] | undefined, wanted: readonly T[] | null, key: (it: T) => string): T[] => [
    ...new Map([...(held ?? []), ...(wanted ?? [])].map((it) => [key(it), it])).values(),
  ]
  return {
    tenant: present.catalogue?.tenant ?? { id: input.tenant, name: input.tenant, revision: 0, disabledAt: null },
    resources: merged<Resource>(
      without(present.catalogue?.resources, surplus.resources),
      input.resources,
      (it) => it.identifier,
    ),
    scopes: merged<ScopeEntry>(without(present.catalogue?.scopes, surplus.scopes), input.scopes, (it) => it.name),
    authorizationDetailTypes: merged<AuthorizationDetailType>(
      without(present.catalogue?.authorizationDetailTypes, surplus.detailTypes),
      input.detailTypes,
      (it) => it.type,
    ),
  }
}

const undeclaredPlaces = ({ resources }: AuthorizationDetailType, after: Catalogue): readonly string[] =>
  resources
    .filter((identifier) => findResource(after, identifier) === null)
    .map((identifier) => `names ${identifier}, a resource that is not declared`)

const without = <T>(held: readonly T[] | undefined, gone: readonly T[]): readonly T[] =>
  (held ?? []).filter((it) => !gone.includes(it))

interface ClientWork {
  readonly step: Step
  readonly problems: FieldProblem[]
  readonly deps: NewClientDependencies
  readonly after: Catalogue
}

function clientChanges(input: TenantInput, present: PresentObjects, work: ClientWork) {
  const create: DirectoryChange['createClients'][number][] = []
  const replace: DirectoryChange['replaceClients'][number][] = []
  const announcements: Announcement[] = []
  for (const wanted of input.clients ?? []) {
    const readable = present.clients.get(wanted.id)
    const held = readable ?? inOrder(present.unreadable.get(wanted.id))
    work.problems.push(...clientProblems(wanted, held, work.after))
    const misnamed = present.namedAsPeople.has(wanted.id) ? subjectOfPerson : newClientIdProblem(wanted.id)
    const stays = held !== undefined && (wanted.disabled || !present.namedAsPeople.has(wanted.id))
    if (misnamed !== null && !stays) work.problems.push({ field: `${wanted.field}.client_id`, problem: misnamed })
    const rotates = newSecret(wanted, held, work.deps.ids)
    const shown = { ...metadataDocument(wanted.metadata), disabled: wanted.disabled }
    const before =
      readable === undefined
        ? held && {}
        : { ...metadataDocument(readable.metadata), disabled: readable.disabledAt !== null }
    const secretMark: JsonObject = rotates ? { client_secret: '(new)' } : {}
    if (!work.step('client', wanted.id, before ?? null, { ...shown, ...secretMark })) continue
    const { id, metadata, secret } = wanted
    if (held === undefined) {
      const { disabled } = wanted
      create.push(newClient({ tenant: input.tenant, id, metadata, secret, origin: 'declared', disabled }, work.deps))
      announcements.push({ name: 'client.registered', clientId: id, data: { origin: 'declared' } })
      continue
    }
    const secrets = rotates && secret !== null ? [secretRow(secret, work.deps.clock.now(), work.deps.ids)] : null
    const disabledAt: Instant | null = wanted.disabled ? (held.disabledAt ?? work.deps.clock.now()) : null
    replace.push({ id, metadata, version: held.version, disabledAt, secrets })
    // `cutoff` tells the revocation feed that access was taken away.
    announcements.push({
      name: 'client.updated',
      clientId: id,
      data: { disabled: wanted.disabled, cutoff: wanted.disabled },
    })
    if (rotates) announcements.push({ name: 'client.secret_rotated', clientId: id, data: { origin: 'declared' } })
  }
  return { create, replace, announcements }
}

type Held = Pick<Client, 'version' | 'disabledAt' | 'secrets'>

/** One that cannot be read is replaced whole: nothing of what it says is believed. */
const inOrder = (version: number | undefined): Held | undefined =>
  version === undefined ? undefined : { version, disabledAt: null, secrets: [] }

const newSecret = (wanted: ClientInput, held: Held | undefined, ids: NewClientDependencies['ids']): boolean => {
  if (wanted.secret === null || held === undefined) return false
  const handle = ids.handleOf(wanted.secret)
  return !held.secrets.some((secret) => secret.handle === handle && secret.expiresAt === null)
}

function clientProblems(wanted: ClientInput, held: Held | undefined, after: Catalogue): readonly FieldProblem[] {
  const problems: FieldProblem[] = []
  const report = (field: string, problem: string) => problems.push({ field: `${wanted.field}.${field}`, problem })
  const { metadata } = wanted
  if (usesSecret(metadata) && wanted.secret === null && (held === undefined || held.secrets.length === 0)) {
    report('client_secret', 'is needed by this authentication method; give it or client_secret_file')
  }
  for (const { field, problem } of undeclaredNames(metadata, after)) report(field, problem)
  for (const field of ['default_resource', 'resource_server'] as const) {
    const identifier = metadata[field]
    if (identifier !== undefined && findResource(after, identifier) === null)
      report(field, 'names a resource that is not declared')
  }
  return problems
}

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
