/** The issuer identifier of every tenant. With port 0 it is known only once the port is bound. */
import type { TenantId } from '@grantor/protocol/types'
import type { Settings } from './config/settings.ts'

export const defaultTenant = 'default' as TenantId

export interface Issuer {
  /** `https://host`: the default tenant's issuer, and where every path of ours begins. */
  origin(): string
  of(tenant: TenantId): string
  /** Called once, when the port is bound. */
  setPort(port: number): void
}

export function issuerFrom({ issuer, port }: Pick<Settings, 'issuer' | 'port'>): Issuer {
  let origin = issuer ?? localOrigin(port)
  return {
    origin: () => origin,
    // Joined, so that it is one piece: it becomes part of every token.
    of: (tenant) => (tenant === defaultTenant ? origin : [origin, 't', tenant].join('/')),
    setPort(bound) {
      origin = issuer ?? localOrigin(bound)
    },
  }
}

/** Port 443 is the one a URL does not write. */
const localOrigin = (port: number): string => new URL(`https://localhost:${port}`).origin
