/** The part of a difference that concerns providers: the changed ones, and the whole list after the change. */
import { mostProviders, type StoredProvider } from '@grantor/protocol/providers'
import type { JsonObject } from '@grantor/protocol/types'
import type { Vault } from '../../ports/vault.ts'
import type { SealedOfProvider } from '../../providers/client-secret.ts'
import { keptProvider, withoutSecret } from './kept-provider.ts'
import type { FieldProblem } from '../result.ts'
import type { Announcement, PresentObjects } from '../declared/declaration.ts'
import type { TenantInput } from '../declared/input.ts'
import type { Surplus } from '../declared/surplus.ts'

interface Comparison {
  /** Records a step if the two differ. */
  step(kind: 'provider', id: string, before: JsonObject | null, after: JsonObject): boolean
  readonly surplus: Surplus
  readonly vault: Vault
}

/** `after` is null where nothing in the list changes. */
export function providerChanges(input: TenantInput, present: PresentObjects, { step, surplus, vault }: Comparison) {
  const held = present.catalogue?.tenant.providers ?? []
  const problems: FieldProblem[] = []
  const changed: StoredProvider[] = []
  for (const { field, ...wanted } of input.providers ?? []) {
    const before = held.find((it) => it.id === wanted.provider.id)
    const kept = keptProvider(wanted, { tenant: input.tenant, held: before, vault })
    if (kept.kind === 'error') {
      problems.push({ field: `${field}.${kept.error.field}`, problem: kept.error.problem })
      continue
    }
    const rotates = (member: SealedOfProvider) => before !== undefined && before[member] !== kept.value[member]
    const after = {
      ...shown(kept.value),
      ...(rotates('sealed_secret') ? { client_secret: '(new)' } : {}),
      ...(rotates('sealed_signals_authorization') ? { signals_authorization: '(new)' } : {}),
    }
    if (step('provider', kept.value.id, before === undefined ? null : shown(before), after)) changed.push(kept.value)
  }
  const stays = held.filter((it) => !surplus.providers.some(({ id }) => id === it.id))
  const after = [...new Map([...stays, ...changed].map((it) => [it.id, it])).values()]
  if (after.length > mostProviders)
    problems.push({ field: 'providers', problem: `must not hold more than ${mostProviders} entries` })
  return {
    problems,
    announcements: changed.map(({ id }): Announcement => ({
      name: 'admin.provider_changed',
      clientId: null,
      data: { provider: id },
    })),
    after: changed.length + surplus.providers.length === 0 ? null : after,
  }
}

/** What differences of providers need in addition. */
export interface ProviderDifferenceDependencies {
  readonly vault: Vault
}

const shown = (it: StoredProvider): JsonObject => ({ ...withoutSecret(it) })

/** The providers as a file writes them, without secrets. */
export const exportedProviders = (providers: readonly StoredProvider[] = []) =>
  providers.length === 0 ? {} : { providers: providers.map(shown) }
