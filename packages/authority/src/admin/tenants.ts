/** Administration of tenants by commands: creating, disabling and removing; the same is possible by declaration. */
import type { Served } from '@grantor/protocol/documents'
import type { Actor } from '@grantor/protocol/events'
import type { Tenant } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import { defaultTenant, type TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../events.ts'
import { nothingElse } from './catalogue/directory-change.ts'
import { accountsChange } from './declared/accounts-input.ts'
import { brandingChange } from './declared/branding-input.ts'
import type { AdminError, AdminResult } from './result.ts'
import { checkReplacement, type TenantReplacement } from './tenants/replacement.ts'

export interface TenantAdmin {
  find(tenant: TenantId): Promise<AdminResult<Tenant>>
  list(page: {
    readonly after: TenantId | null
    readonly limit: number
    readonly descending?: boolean
  }): Promise<AdminResult<readonly Tenant[]>>
  create(by: Actor, id: string, name: string): Promise<AdminResult<Tenant>>
  /** A disabled tenant refuses everything at once; its data stays. */
  setDisabled(by: Actor, tenant: TenantId, disabled: boolean): Promise<AdminResult<Tenant>>
  /** Replaces all settings of a tenant, at the revision that was read; or creates a tenant. */
  put(by: Actor, tenant: TenantId, wanted: TenantReplacement): Promise<AdminResult<Tenant>>
  /** Removes a disabled tenant with all its data except its log. */
  remove(by: Actor, tenant: TenantId): Promise<AdminResult<null>>
}

export interface TenantAdminDependencies extends EventDependencies {
  readonly served: Served
  readonly store: Pick<Store, 'directory'>
}

const plainTenant = {
  disabled: false,
  profile: null,
  registration: null,
  requirePushed: null,
  branding: null,
  accounts: null,
}

const isSame = (held: object | undefined, wanted: object): boolean =>
  JSON.stringify(held ?? {}) === JSON.stringify(wanted)

const busy = err<AdminError>({
  reason: 'conflict',
  what: 'the tenant was changed at the same moment; look before trying again',
})

export function openTenantAdmin(deps: TenantAdminDependencies): TenantAdmin {
  const { store } = deps

  async function find(tenant: TenantId): Promise<AdminResult<Tenant>> {
    const catalogue = await store.directory.catalogue(tenant)
    return catalogue === null ? err({ reason: 'absent', what: `tenant ${tenant}` }) : ok(catalogue.tenant)
  }

  const changed = (by: Actor, tenant: TenantId, data: { readonly [name: string]: string | boolean }) =>
    newEvent(deps, localOrigin(tenant), 'admin.tenant_changed', { actor: by, data })

  async function put(by: Actor, tenant: TenantId, wanted: TenantReplacement): Promise<AdminResult<Tenant>> {
    const { revision, name, disabled, requirePushed } = wanted
    const held = revision === null ? null : await find(tenant)
    if (held?.kind === 'error') return held
    const before = held?.value
    const checked = checkReplacement(wanted, { tenant, heldBranding: before?.branding, served: deps.served })
    if (checked.kind === 'error') return err({ reason: 'invalid', problems: checked.error })
    const { profile, registration, branding, accounts } = checked.value
    const at = deps.clock.now()
    const since = before?.disabledAt ?? null
    const data =
      revision === null
        ? { name, created: true }
        : {
            name,
            disabled,
            cutoff: disabled && since === null,
            ...(isSame(before?.branding, branding.branding) ? {} : { branding: true }),
            ...(isSame(before?.accounts, accounts) ? {} : { accounts: true }),
          }
    const applied = await store.directory.apply([
      {
        ...nothingElse,
        tenant,
        expected: revision,
        name,
        disabledAt: disabled ? (since ?? at) : null,
        profile,
        registration,
        ...(requirePushed === null ? {} : { requirePushed }),
        branding: brandingChange(branding),
        accounts: accountsChange(accounts),
        at,
        events: [changed(by, tenant, data)],
      },
    ])
    if (applied === 'applied') return find(tenant)
    return revision === null ? err({ reason: 'exists', what: `tenant ${tenant}` }) : busy
  }

  return {
    find,
    list: async (page) => ok(await store.directory.tenants(page)),

    put,
    create: (by, id, name) => put(by, id as TenantId, { revision: null, ...plainTenant, name }),

    async setDisabled(by, tenant, disabled) {
      const held = await find(tenant)
      if (held.kind === 'error') return held
      const at = deps.clock.now()
      // `cutoff` tells the revocation feed that everything issued by this tenant is revoked.
      const events = [changed(by, tenant, { disabled, cutoff: disabled })]
      const disabledAt = disabled ? at : null
      const applied = await store.directory.apply([
        { ...nothingElse, tenant, expected: held.value.revision, disabledAt, at, events },
      ])
      return applied === 'applied' ? find(tenant) : busy
    },

    async remove(by, tenant) {
      // Servers that run would lose their root tenant.
      if (tenant === defaultTenant) return err({ reason: 'conflict', what: 'the first tenant is never removed' })
      const removed = await store.directory.removeTenant(tenant, deps.clock.now(), [
        changed(by, tenant, { removed: true }),
      ])
      if (removed === 'absent') return err({ reason: 'absent', what: `tenant ${tenant}` })
      if (removed === 'not-disabled') {
        return err({ reason: 'conflict', what: `tenant ${tenant} is in use; disable it first, then remove it` })
      }
      return ok(null)
    },
  }
}
