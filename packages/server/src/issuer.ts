/** The issuer identifier of every tenant. With port 0 it is known only once the port is bound. */
import type { TenantId } from '@grantor/protocol/types'
import type { Settings } from './config/settings.ts'

export const defaultTenant = 'default' as TenantId

export interface Issuer {
  /** `https://host`: the default tenant's issuer, and the prefix of every URL of this server. */
  origin(): string
  of(tenant: TenantId): string
  /** The issuer's URL at the address where clients are asked for certificates; null where there is none. */
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
  // `join` makes one flat string, which is cheaper to use: it becomes part of every token.
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

/** Through URL, which omits port 443. */
const localOrigin = (port: number): string => new URL(`https://localhost:${port}`).origin
