/** Whether the trusted issuers of a tenant can be verified now: their keys, and the clients that their rules name. */
import { err, ok } from '@grantor/protocol/result'
import type { TrustedIssuer } from '@grantor/protocol/trust'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { Outbound } from '../ports/outbound.ts'
import { keysOfIssuer, type IssuerKeysProblem } from '../trust/issuer-keys.ts'
import type { AdminResult } from './result.ts'

export interface TrustedIssuerState {
  readonly trusted: TrustedIssuer
  /** The number of its keys that this server can use; or why none could be fetched. */
  readonly keys: number | IssuerKeysProblem
  /** Clients that its rules name and that do not exist, or are disabled. */
  readonly missingClients: readonly string[]
}

export interface TrustedIssuerAdmin {
  /** Fetches the keys of each issuer now. */
  examine(tenant: TenantId): Promise<AdminResult<readonly TrustedIssuerState[]>>
}

export interface TrustedIssuerAdminDependencies {
  readonly outbound: Outbound
  readonly store: Pick<Store, 'directory' | 'clients'>
}

export function openTrustedIssuerAdmin({ outbound, store }: TrustedIssuerAdminDependencies): TrustedIssuerAdmin {
  const isMissing = async (tenant: TenantId, id: string): Promise<boolean> => {
    const client = await store.clients.find(tenant, id)
    return client === null || client.disabledAt !== null
  }
  return {
    async examine(tenant) {
      const catalogue = await store.directory.catalogue(tenant)
      if (catalogue === null) return err({ reason: 'absent', what: `tenant ${tenant}` })
      const states: TrustedIssuerState[] = []
      for (const trusted of catalogue.tenant.trustedIssuers ?? []) {
        const named = [...new Set(trusted.rules?.map(({ client }) => client))]
        const missingClients: string[] = []
        for (const id of named) if (await isMissing(tenant, id)) missingClients.push(id)
        const keys = await keysOfIssuer(trusted, outbound)
        states.push({ trusted, keys: keys.kind === 'ok' ? keys.value.length : keys.error, missingClients })
      }
      return ok(states)
    },
  }
}
