/** The issuer identifier of every tenant. With port 0 it is known only once the port is bound. */
import type { TenantId } from '@grantor/protocol/types'
import type { Settings } from './config/settings.ts'

export const defaultTenant = 'default' as TenantId

export interface Issuer {
  /** `https://host`: the default tenant's issuer, and where every path of ours begins. */
  origin(): string
  of(tenant: TenantId): string
  /** The same where clients are asked for certificates; null where no other address does. */
  mtlsOf(tenant: TenantId): string | null
  /** Called once, when the port is bound. */
  setPort(port: number): void
  setMtlsPort(port: number): void
}

export function issuerFrom({
  issuer,
  port,
  mtlsUrl = null,
}: Pick<Settings, 'issuer' | 'port'> & Partial<Pick<Settings, 'mtlsUrl'>>): Issuer {
  let origin = issuer ?? localOrigin(port)
  let mtlsOrigin: string | null = mtlsUrl
  // Joined, so that it is one piece: it becomes part of every token.
  const of = (base: string, tenant: TenantId): string =>
    tenant === defaultTenant ? base : [base, 't', tenant].join('/')
  return {
    origin: () => origin,
    of: (tenant) => of(origin, tenant),
    mtlsOf: (tenant) => (mtlsOrigin === null ? null : of(mtlsOrigin, tenant)),
    setPort(bound) {
      origin = issuer ?? localOrigin(bound)
    },
    setMtlsPort(bound) {
      mtlsOrigin = mtlsUrl ?? withPort(origin, bound)
    },
  }
}

function withPort(origin: string, port: number): string {
  const url = new URL(origin)
  url.port = String(port)
  return url.origin
}

/** Port 443 is the one a URL does not write. */
const localOrigin = (port: number): string => new URL(`https://localhost:${port}`).origin
