/**
 * Administration of the providers by which people of a tenant sign in: each is put or dropped as a whole, at a version.
 */
import { hash } from 'node:crypto'
import type { Served } from '@grantor/protocol/documents'
import type { Actor } from '@grantor/protocol/events'
import { isPolled, mostProviders, providerOfAddress, type StoredProvider } from '@grantor/protocol/providers'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import type { Vault } from '../../ports/vault.ts'
import type { CatalogueKind, Versioned } from '../catalogue/catalogue.ts'
import { nothingElse } from '../catalogue/directory-change.ts'
import { mayNameAdministrators } from '../people/naming-administrators.ts'
import type { AdminError, AdminResult } from '../result.ts'
import { keptProvider, providerInput, type ShownProvider, shownProvider } from './kept-provider.ts'

export type ProviderAdmin = CatalogueKind<ShownProvider>

export interface ProviderAdminDependencies extends EventDependencies {
  readonly served: Served
  readonly store: Pick<Store, 'directory' | 'identities' | 'signalPolls' | 'users'>
  readonly vault: Vault
}

const maxAttempts = 5

/** Computed from the stored row: another seal of a secret is another version. */
const versionOf = (it: StoredProvider): string =>
  hash('sha256', JSON.stringify(Object.entries(it).toSorted(([a], [b]) => (a < b ? -1 : 1))), 'base64url').slice(0, 16)

type Planned<R> = Result<{ readonly after: readonly StoredProvider[]; readonly outcome: R }, AdminError>

const changed = (id: string) =>
  err<AdminError>({ reason: 'conflict', what: `provider ${id} was changed meanwhile; look before trying again` })

export function openProviderAdmin(deps: ProviderAdminDependencies): ProviderAdmin {
  const { store, clock, served, vault } = deps

  /**
   * Plans on one revision of the tenant and applies to that revision; if the tenant changed in between, plans again.
   */
  async function change<R>(
    tenant: TenantId,
    { by, id, removed = false }: { readonly by: Actor; readonly id: string; readonly removed?: boolean },
    plan: (held: readonly StoredProvider[]) => Planned<R>,
  ): Promise<AdminResult<R>> {
    const ownersOnly = err<AdminError>({
      reason: 'forbidden',
      what: 'only owners change a provider that an administrator signs in by, or that has the domain of one',
    })
    const mayTouch = await mayNameAdministrators(by, tenant, store)
    if (!mayTouch && (await store.identities.leadsToAdministrator(tenant, id))) return ownersOnly
    for (let tries = 0; tries < maxAttempts; tries++) {
      const catalogue = await store.directory.catalogue(tenant)
      if (catalogue === null) return err({ reason: 'absent', what: `tenant ${tenant}` })
      const planned = plan(catalogue.tenant.providers ?? [])
      if (planned.kind === 'error') return planned
      const concerned = [...(catalogue.tenant.providers ?? []), ...planned.value.after].filter((it) => it.id === id)
      if (!mayTouch && (await answersForAdministrator(tenant, concerned))) return ownersOnly
      const data = { provider: id, ...(removed ? { removed } : {}) }
      const events = [newEvent(deps, localOrigin(tenant), 'admin.provider_changed', { actor: by, data })]
      const { revision: expected } = catalogue.tenant
      const whole = { ...nothingElse, tenant, expected, providers: planned.value.after, at: clock.now(), events }
      if ((await store.directory.apply([whole])) === 'applied') return ok(planned.value.outcome)
    }
    return err({ reason: 'conflict', what: 'the providers kept changing; look before trying again' })
  }

  /** Adds the state of polling to the providers that are polled. */
  async function versioned(
    tenant: TenantId,
    providers: readonly StoredProvider[],
  ): Promise<readonly Versioned<ShownProvider>[]> {
    const polls = providers.some(isPolled) ? await store.signalPolls.of(tenant) : []
    return providers.map((it) => {
      const polled = isPolled(it) ? polls.find(({ provider }) => provider === it.id) : undefined
      return { value: { ...shownProvider(it), ...(polled && { polled }) }, version: versionOf(it) }
    })
  }

  /**
   * Whether a provider would authenticate an administrator: a person who types an address of its domain signs in there,
   * and a directory is sent their password.
   */
  async function answersForAdministrator(tenant: TenantId, providers: readonly StoredProvider[]): Promise<boolean> {
    if (providers.every(({ domains = [] }) => domains.length === 0)) return false
    const names = await store.users.administratorNames(tenant)
    return names.some((name) => providerOfAddress(name, providers) !== null)
  }

  return {
    async list(tenant) {
      const catalogue = await store.directory.catalogue(tenant)
      if (catalogue === null) return err({ reason: 'absent', what: `tenant ${tenant}` })
      return ok(await versioned(tenant, catalogue.tenant.providers ?? []))
    },

    async put(by, tenant, { input, expected }) {
      const { has_secret: _secret, has_signals_authorization: _header, ...fields } = input
      const read = providerInput(fields, served)
      if (read.kind === 'error') return err({ reason: 'invalid', problems: read.error })
      const { id } = read.value.provider
      const put = await change(tenant, { by, id }, (all) => {
        const held = all.find((it) => it.id === id)
        if (expected === null && held !== undefined) return err({ reason: 'exists', what: `provider ${id}` })
        if (expected !== null && (held === undefined || versionOf(held) !== expected)) return changed(id)
        if (held === undefined && all.length >= mostProviders) {
          const problem = `would be one of more than ${mostProviders}`
          return err({ reason: 'invalid', problems: [{ field: 'id', problem }] })
        }
        const kept = keptProvider(read.value, { tenant, held, vault })
        if (kept.kind === 'error') return err({ reason: 'invalid', problems: [kept.error] })
        const after = held === undefined ? [...all, kept.value] : all.map((it) => (it === held ? kept.value : it))
        return ok({ after, outcome: kept.value })
      })
      if (put.kind === 'error') return put
      const [shown] = await versioned(tenant, [put.value])
      return ok(shown as Versioned<ShownProvider>)
    },

    drop: (by, tenant, { id, expected }) =>
      change(tenant, { by, id, removed: true }, (all) => {
        const held = all.find((it) => it.id === id)
        if (held === undefined) return err({ reason: 'absent', what: `provider ${id}` })
        if (versionOf(held) !== expected) return changed(id)
        return ok({ after: all.filter((it) => it !== held), outcome: null })
      }),
  }
}
