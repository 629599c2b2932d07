/**
 * Declared objects (docs/configuration.md): plan shows the difference, apply carries it out in one commit, export
 * writes the present state as a file.
 */
import type { Served } from '@grantor/protocol/documents'
import type { Actor } from '@grantor/protocol/events'
import { err, ok } from '@grantor/protocol/result'
import type { Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import type { Ids } from '../../ports/environment.ts'
import type { ApplyOptions, Declaration, Plan } from './declaration.ts'
import { type WebhookDifference, webhookDifference, type WebhookDifferenceDependencies } from './difference-webhooks.ts'
import type { AdminResult } from '../result.ts'
import {
  type DifferenceDependencies,
  differenceOf,
  isEmpty,
  noSurplus,
  surplusOf,
  type TenantDifference,
} from './difference.ts'
import { type UserDifference, userDifference } from './difference-users.ts'
import { exportEverything } from './present/export-tenant.ts'
import { heldProfiles, presentOf } from './present/present-objects.ts'
import { readDeclaration } from './input.ts'
import { declaredPasswordProblems } from './user-input.ts'

export interface DeclaredAdmin {
  /** Validates and compares; changes nothing. */
  plan(wanted: Declaration, how?: ApplyOptions): Promise<AdminResult<Plan>>
  /** All or nothing. */
  apply(by: Actor, wanted: Declaration, how?: ApplyOptions): Promise<AdminResult<Plan>>
  export(): Promise<AdminResult<Declaration>>
}

type DeclaredStore = Pick<
  Store,
  'directory' | 'clients' | 'groups' | 'users' | 'unreadable' | 'eventReceivers' | 'events'
>

export interface DeclaredAdminDependencies extends EventDependencies, Pick<WebhookDifferenceDependencies, 'vault'> {
  readonly ids: Ids
  readonly passwords: Parameters<typeof declaredPasswordProblems>[1]
  readonly served: Served
  readonly store: DeclaredStore
  readonly vault: DifferenceDependencies['vault']
}

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
    const users = anyPassword ? [] : read.value.flatMap((it) => it.users ?? [])
    const weak = await declaredPasswordProblems(users, deps.passwords)
    if (weak.length > 0) return err({ reason: 'invalid', problems: weak })
    const differences: TenantDifference[] = []
    for (const input of read.value) {
      const declaredIds = input.clients?.map((client) => client.id) ?? []
      const ruleIds = input.trustedIssuers?.flatMap((it) => it.declared.rules?.map((rule) => rule.client) ?? []) ?? []
      const groupNames = [
        ...(input.groups ?? []).map(({ name }) => name),
        ...(input.users ?? []).flatMap((user) => user.groups ?? []),
      ]
      const present = await presentOf(store, { tenant: input.tenant, declaredIds, ruleIds, groupNames, prune })
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
        // Two people applying at once do not mix: the later one finds the revisions changed, and plans again.
        const applied = await store.directory.apply(differences.map((it) => withEvents(by, it, deps)))
        if (applied === 'applied') return ok(plan)
      }
      return err({ reason: 'conflict', what: 'the objects kept changing while this was applied; try again' })
    },

    export: async () => ok(await exportEverything(store)),
  }
}

const together = (it: TenantDifference, users: UserDifference, webhooks: WebhookDifference): TenantDifference => ({
  steps: [...it.steps, ...users.steps, ...webhooks.steps],
  problems: [...it.problems, ...users.problems, ...webhooks.problems],
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
