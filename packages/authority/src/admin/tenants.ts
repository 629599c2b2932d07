/** Administration of tenants: created, disabled and removed by command; the same is possible by declaration. */
import { isPlain, readBranding } from '@grantor/protocol/branding'
import type { Served } from '@grantor/protocol/documents'
import type { Actor } from '@grantor/protocol/events'
import { displayTextProblem, type Tenant } from '@grantor/protocol/oauth'
import { readAccountPolicy } from '@grantor/protocol/people'
import { isTenantProfile, readRegistrationPolicy, tenantProfiles } from '@grantor/protocol/registration'
import { err, ok } from '@grantor/protocol/result'
import { defaultTenant, type JsonObject, type TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../events.ts'
import { nothingElse } from './catalogue/directory-change.ts'
import { accountsChange } from './declared/accounts-input.ts'
import { isTenantName } from './declared/tenant-name.ts'
import type { AdminError, AdminResult, FieldProblem } from './result.ts'

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
  /** All that is said of it, at the revision that it was looked at; or a new one. */
  put(by: Actor, tenant: TenantId, wanted: TenantReplacement): Promise<AdminResult<Tenant>>
  /** Removes a disabled tenant with all it holds but its log. */
  remove(by: Actor, tenant: TenantId): Promise<AdminResult<null>>
}

export interface TenantReplacement {
  /** Null makes it. */
  readonly revision: number | null
  readonly name: string
  readonly disabled: boolean
  /** A profile, as written; null for none. */
  readonly profile: string | null
  /** As written; null for the deployment's policy alone. */
  readonly registration: JsonObject | null
  /** Null leaves what was said of it. */
  readonly requirePushed: boolean | null
  /** As written; null for none. */
  readonly branding: JsonObject | null
  /** The same. */
  readonly accounts: JsonObject | null
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
    const { revision, name, disabled, profile, registration, requirePushed } = wanted
    const held = revision === null ? null : await find(tenant)
    if (held?.kind === 'error') return held
    const problems: FieldProblem[] = []
    const report = (field: string, problem: string | null) => problem !== null && problems.push({ field, problem })
    report('name', displayTextProblem(name))
    if (revision === null && !isTenantName(tenant))
      report('id', 'must be 1 to 40 of a-z, 0-9 and inner hyphens, and not the reserved name default')
    const known = profile === null || isTenantProfile(profile)
    if (!known) report('profile', `must be one of ${tenantProfiles.join(', ')}`)
    if (profile !== null && requirePushed === false)
      report('require_pushed_authorization_requests', `must be true or left out: ${profile} has all requests pushed`)
    const policy = registration === null ? null : readRegistrationPolicy(registration, deps.served)
    if (policy?.kind === 'error')
      for (const { field, problem } of policy.error)
        report(field === '' ? 'registration' : `registration.${field}`, problem)
    const look = readBranding(wanted.branding ?? {}, { tenant, held: held?.value.branding })
    if (look.kind === 'error')
      for (const { field, problem } of look.error) report(field === '' ? 'branding' : `branding.${field}`, problem)
    const accounts = readAccountPolicy(wanted.accounts ?? {})
    if (accounts.kind === 'error')
      for (const { field, problem } of accounts.error) report(field === '' ? 'accounts' : `accounts.${field}`, problem)
    if (problems.length > 0 || accounts.kind === 'error' || policy?.kind === 'error' || look.kind === 'error' || !known)
      return err({ reason: 'invalid', problems })
    const at = deps.clock.now()
    const since = held?.value.disabledAt ?? null
    const reworded = JSON.stringify(held?.value.accounts ?? {}) !== JSON.stringify(accounts.value)
    const rebranded = JSON.stringify(held?.value.branding ?? {}) !== JSON.stringify(look.value.branding)
    const applied = await store.directory.apply([
      {
        ...nothingElse,
        tenant,
        expected: revision,
        name,
        disabledAt: disabled ? (since ?? at) : null,
        profile,
        registration: policy?.value ?? null,
        ...(requirePushed === null ? {} : { requirePushed }),
        branding: isPlain(look.value.branding) ? null : look.value,
        accounts: accountsChange(accounts.value),
        at,
        events: [
          changed(
            by,
            tenant,
            revision === null
              ? { name, created: true }
              : {
                  name,
                  disabled,
                  cutoff: disabled && since === null,
                  ...(rebranded ? { branding: true } : {}),
                  ...(reworded ? { accounts: true } : {}),
                },
          ),
        ],
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
      // `cutoff` tells the revocation feed that everything of this tenant is dead.
      const events = [changed(by, tenant, { disabled, cutoff: disabled })]
      const disabledAt = disabled ? at : null
      const applied = await store.directory.apply([
        { ...nothingElse, tenant, expected: held.value.revision, disabledAt, at, events },
      ])
      return applied === 'applied' ? find(tenant) : busy
    },

    async remove(by, tenant) {
      // Servers that run would have no root any more.
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
