/** The secret of the hook of an API: shown to whoever may change the API, and not stored. */
import { err, ok } from '@grantor/protocol/result'
import type { Secret, TenantId } from '@grantor/protocol/types'
import { webhookSecretOf } from '@grantor/protocol/webhooks'
import type { Store } from '@grantor/store'
import { hookKey } from '../../decisions/hook-key.ts'
import type { AdminResult } from '../result.ts'

export interface HookAdmin {
  secret(tenant: TenantId, identifier: string): Promise<AdminResult<Secret>>
}

export interface HookAdminDependencies {
  readonly store: Pick<Store, 'directory' | 'keys'>
}

export const openHookAdmin = (deps: HookAdminDependencies): HookAdmin => ({
  async secret(tenant, identifier) {
    const catalogue = await deps.store.directory.catalogue(tenant)
    const resource = catalogue?.resources.find((it) => it.identifier === identifier)
    if (resource?.issuanceHook === undefined) return err({ reason: 'absent', what: `a hook of ${identifier}` })
    return ok(webhookSecretOf(hookKey(tenant, resource, deps)))
  },
})
