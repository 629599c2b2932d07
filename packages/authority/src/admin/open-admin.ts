/** The administration: every noun has a file; an outage anywhere is an outcome, not an exception. */
import { err } from '@grantor/protocol/result'
import type { Admin } from './admin.ts'
import type { Hands } from '../hands.ts'
import { isOutage } from '../retry-stale.ts'
import { clientAdmin } from './clients.ts'
import { declaredAdmin } from './declared/declared.ts'
import { deploymentAdmin } from './deployment.ts'
import { eventAdmin } from './events.ts'
import { keyAdmin } from './keys.ts'
import { registrationTokenAdmin } from './registration-tokens.ts'
import { reportAdmin } from './validation-reports.ts'
import { tenantAdmin } from './tenants.ts'
import { tokenAdmin } from './tokens.ts'
import { userAdmin } from './users.ts'

export const openAdmin = (hands: Hands): Admin => ({
  clients: guarded(clientAdmin(hands)),
  registrationTokens: guarded(registrationTokenAdmin(hands)),
  tokens: guarded(tokenAdmin(hands)),
  events: { ...guarded(eventAdmin(hands)), watch: (wake) => hands.store.events.watch(wake) },
  reports: guarded(reportAdmin(hands)),
  keys: guarded(keyAdmin(hands)),
  tenants: guarded(tenantAdmin(hands)),
  users: guarded(userAdmin(hands)),
  deployment: guarded(deploymentAdmin(hands)),
  declared: guarded(declaredAdmin(hands)),
})

function guarded<T extends object>(acts: T): T {
  const entries = Object.entries(acts).map(([name, act]: [string, (...args: unknown[]) => unknown]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await act(...args)
      } catch (cause) {
        if (isOutage(cause)) return err({ reason: 'unavailable' })
        throw cause
      }
    },
  ])
  return Object.fromEntries(entries) as T
}
