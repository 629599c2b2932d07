/** Declared objects (docs/configuration.md): plan shows the difference, apply makes it so in one commit, export writes it back. */
import type { Served } from '@grantor/protocol/documents'
import type { Actor } from '@grantor/protocol/events'
import {
  type Client,
  consoleClient,
  isMadeHere,
  metadataDocument,
  registrationDocument,
  type TenantProfile,
} from '@grantor/protocol/registration'
import { err, ok } from '@grantor/protocol/result'
import { defaultTenant, type JsonObject, type TenantId } from '@grantor/protocol/types'
import type { Store, UserRow } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import type { Ids } from '../../ports/environment.ts'
import type { ApplyOptions, Declaration, Plan, PresentObjects } from './declaration.ts'
import {
  exportedWebhooks,
  type WebhookDifference,
  webhookDifference,
  type WebhookDifferenceDependencies,
} from './difference-webhooks.ts'
import type { AdminResult } from '../result.ts'
import {
  type DifferenceDependencies,
  differenceOf,
  accountsDocument,
  exportedBranding,
  exportedProviders,
  isEmpty,
  noSurplus,
  profileDocument,
  pushDocument,
  surplusOf,
  type TenantDifference,
} from './difference.ts'
import { type UserDifference, userDifference } from './difference-users.ts'
import { declaredResource, type HeldProfiles, readDeclaration } from './input.ts'
import { declaredPasswordProblems } from './user-input.ts'

export interface DeclaredAdmin {
  /** Validates and compares; changes nothing. */
  plan(wanted: Declaration, how?: ApplyOptions): Promise<AdminResult<Plan>>
  /** All of it or none of it. */
  apply(by: Actor, wanted: Declaration, how?: ApplyOptions): Promise<AdminResult<Plan>>
  export(): Promise<AdminResult<Declaration>>
}

type DeclaredStore = Pick<Store, 'directory' | 'clients' | 'users' | 'unreadable' | 'eventReceivers' | 'events'>

export interface DeclaredAdminDependencies extends EventDependencies, Pick<WebhookDifferenceDependencies, 'vault'> {
  readonly ids: Ids
  readonly served: Served
  readonly store: DeclaredStore
  readonly vault: DifferenceDependencies['vault']
}

const pageSize = 200
const maxAttempts = 5
const onlyAdding: ApplyOptions = { prune: false }

export function openDeclaredAdmin(deps: DeclaredAdminDependencies): DeclaredAdmin {
  const { store } = deps

  async function compare(
    wanted: Declaration,
    { prune, anyPassword = false }: ApplyOptions,
  ): Promise<AdminResult<readonly TenantDifference[]>> {
    const read = readDeclaration(wanted, deps.served, await heldProfiles(store))
    if (read.kind === 'error') return err({ reason: 'invalid', problems: read.error })
    const weak = anyPassword ? [] : read.value.flatMap(({ users }) => declaredPasswordProblems(users ?? []))
    if (weak.length > 0) return err({ reason: 'invalid', problems: weak })
    const differences: TenantDifference[] = []
    for (const input of read.value) {
      const declaredIds = input.clients?.map((client) => client.id) ?? []
      const ruleIds = input.trustedIssuers?.flatMap((it) => it.declared.rules?.map((rule) => rule.client) ?? []) ?? []
      const present = await presentOf(store, { tenant: input.tenant, declaredIds, ruleIds, prune })
      const directory = differenceOf(input, present, deps, prune ? surplusOf(input, present) : noSurplus)
      const webhooks = await webhookDifference(input, { ...deps, prune })
      differences.push(together(directory, await userDifference(input, deps), webhooks))
    }
    const problems = differences.flatMap((it) => it.problems)
    return problems.length > 0 ? err({ reason: 'invalid', problems }) : ok(differences)
  }

  return {
    async plan(wanted, how = onlyAdding) {
      const compared = await compare(wanted, how)
      return compared.kind === 'ok' ? ok(planOf(compared.value)) : compared
    },

    async apply(by, wanted, how = onlyAdding) {
      for (let tries = 0; tries < maxAttempts; tries++) {
        const compared = await compare(wanted, how)
        if (compared.kind === 'error') return compared
        const differences = compared.value.filter((it) => !isEmpty(it))
        const plan = planOf(differences)
        if (differences.length === 0) return ok(plan)
        // Two people applying at once do not mix: whoever comes second finds the revisions moved on, and plans again.
        const applied = await store.directory.apply(differences.map((it) => withEvents(by, it, deps)))
        if (applied === 'applied') return ok(plan)
      }
      return err({ reason: 'conflict', what: 'the objects kept changing while this was applied; try again' })
    },

    async export() {
      const objects = await exportTenant(store, defaultTenant as TenantId)
      const first = (await store.directory.catalogue(defaultTenant as TenantId))?.tenant
      const look = first === undefined ? {} : await exportedBranding(first, store)
      const root: Declaration = {
        ...profileDocument(first?.profile),
        ...look,
        ...accountsDocument(first?.accounts),
        ...objects,
      }
      const tenants: JsonObject[] = []
      for await (const tenant of allTenants(store)) {
        if (tenant.id === defaultTenant) continue
        const { id, name, disabledAt, registration: policy, requirePushed, profile } = tenant
        const disabled: JsonObject = disabledAt === null ? {} : { disabled: true }
        const registration: JsonObject = policy === undefined ? {} : { registration: registrationDocument(policy) }
        const policies = {
          ...registration,
          ...pushDocument(requirePushed),
          ...profileDocument(profile),
          ...accountsDocument(tenant.accounts),
        }
        const fields = { id, name, ...disabled, ...policies, ...(await exportedBranding(tenant, store)) }
        tenants.push({ ...fields, ...((await exportTenant(store, id)) as JsonObject) })
      }
      return ok(tenants.length === 0 ? root : { ...root, tenants })
    },
  }
}

const together = (it: TenantDifference, users: UserDifference, webhooks: WebhookDifference): TenantDifference => ({
  steps: [...it.steps, ...users.steps, ...webhooks.steps],
  problems: [...it.problems, ...webhooks.problems],
  change: { ...it.change, ...users.change, ...webhooks.change },
  announcements: [...it.announcements, ...users.announcements, ...webhooks.announcements],
})

const planOf = (differences: readonly TenantDifference[]): Plan => ({ steps: differences.flatMap((it) => it.steps) })

const withEvents = (by: Actor, { change, announcements }: TenantDifference, deps: EventDependencies) => ({
  ...change,
  events: announcements.map(({ name, clientId, subject = null, data }) =>
    newEvent(deps, localOrigin(change.tenant), name, { actor: by, clientId, subject, data }),
  ),
})

interface PresentQuery {
  readonly tenant: TenantId
  readonly declaredIds: readonly string[]
  readonly ruleIds: readonly string[]
  /** Then every client is wanted, not only the declared. */
  readonly prune: boolean
}

async function presentOf(
  store: DeclaredStore,
  { tenant, declaredIds, ruleIds, prune }: PresentQuery,
): Promise<PresentObjects> {
  const clients = new Map<string, Client>()
  const unreadable = new Map<string, number>()
  const namedAsPeople = new Set<string>()
  if (prune) for await (const client of allClients(store, tenant)) clients.set(client.id, client)
  for (const id of declaredIds) {
    const client = clients.get(id) ?? (await store.clients.find(tenant, id))
    const version = client === null ? store.unreadable.client(tenant, id)?.version : undefined
    if (client !== null) clients.set(id, client)
    if (version !== undefined) unreadable.set(id, version)
    if ((await store.users.byId(tenant, id)) !== null) namedAsPeople.add(id)
  }
  const namedByRules = new Set<string>()
  for (const id of new Set(ruleIds)) if ((await store.clients.find(tenant, id)) !== null) namedByRules.add(id)
  return { catalogue: await store.directory.catalogue(tenant), clients, unreadable, namedAsPeople, namedByRules }
}

/** Everything that was declared or made by hand; clients that registered themselves are not ours to declare. */
async function exportTenant(store: DeclaredStore, tenant: TenantId): Promise<Declaration> {
  const catalogue = await store.directory.catalogue(tenant)
  const trusted = catalogue?.tenant.trustedIssuers ?? []
  const clients: JsonObject[] = []
  for await (const client of allClients(store, tenant)) {
    if (!isMadeHere(client) || client.id === consoleClient) continue
    const disabled: JsonObject = client.disabledAt === null ? {} : { disabled: true }
    clients.push({ client_id: client.id, ...metadataDocument(client.metadata), ...disabled })
  }
  const users: JsonObject[] = []
  for await (const { username, claims, administrator, disabledAt } of allUsers(store, tenant)) {
    const rights: JsonObject = administrator === null ? {} : { administrator }
    users.push({ username, ...claims, ...rights, ...(disabledAt === null ? {} : { disabled: true }) })
  }
  return {
    resources: (catalogue?.resources ?? []).map(declaredResource),
    scopes: (catalogue?.scopes ?? []).map(({ name, description, resource, sensitivity, mode }) => ({
      name,
      description,
      ...(resource === null ? {} : { resource }),
      sensitivity,
      mode,
    })),
    ...(catalogue?.authorizationDetailTypes === undefined
      ? {}
      : { authorization_details_types: catalogue.authorizationDetailTypes.map((it) => ({ ...it })) }),
    clients,
    // They are kept as they were declared.
    ...(trusted.length === 0 ? {} : { trusted_issuers: trusted as unknown as readonly JsonObject[] }),
    ...exportedProviders(catalogue?.tenant.providers),
    ...(users.length === 0 ? {} : { users }),
    ...(await exportedWebhooks(tenant, store)),
  }
}

async function heldProfiles(store: DeclaredStore): Promise<HeldProfiles> {
  const held = new Map<string, TenantProfile>()
  for await (const { id, profile } of allTenants(store)) if (profile !== undefined) held.set(id, profile)
  return held
}

/** Page by page, from the first to the last. */
async function* every<T extends { readonly id: string }>(
  pageAfter: (after: T['id'] | null) => Promise<readonly T[]>,
): AsyncGenerator<T> {
  for (let after: T['id'] | null = null; ;) {
    const page: readonly T[] = await pageAfter(after)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.id
  }
}

const allClients = (store: DeclaredStore, tenant: TenantId) =>
  every<Client>((after) => store.clients.list(tenant, { after, limit: pageSize }))

const allUsers = (store: DeclaredStore, tenant: TenantId) =>
  every<UserRow>((after) => store.users.list(tenant, { after, limit: pageSize }))

const allTenants = (store: DeclaredStore) =>
  every<Awaited<ReturnType<Store['directory']['tenants']>>[number]>((after) =>
    store.directory.tenants({ after, limit: pageSize }),
  )
