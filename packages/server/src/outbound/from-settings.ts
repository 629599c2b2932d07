/** The outbound fetcher as the settings wish it. */
import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import type { Settings } from '../config/settings.ts'
import { CannotStart } from '../trouble.ts'
import { openOutbound, type ServerOutbound } from './index.ts'
import { byDns } from './resolve.ts'
import { allowed } from './target.ts'

export function outboundFrom(settings: Pick<Settings, 'outboundAllow' | 'outboundCa'>): ServerOutbound {
  const extra = settings.outboundCa === null ? null : authorities(settings.outboundCa)
  let roots: SecureContext | null = null
  return openOutbound({
    allow: new Set((settings.outboundAllow ?? []).map(allowed).filter((host) => host !== null)),
    resolve: byDns(),
    // Made when first needed: most commands never go out.
    roots: () => (roots ??= rootsWith(extra)),
    now: Date.now,
  })
}

function rootsWith(extra: string | null): SecureContext {
  const ca = extra === null ? {} : { ca: [...getCACertificates('default'), extra] }
  return createSecureContext({ minVersion: 'TLSv1.2', ...ca })
}

function authorities(path: string): string {
  try {
    const pem = readFileSync(path, 'utf8')
    createSecureContext({ ca: pem })
    if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem
  } catch (cause) {
    throw new CannotStart(`GRANTOR_OUTBOUND_CA: ${path} cannot be read as certificates in PEM`, { cause })
  }
  throw new CannotStart(`GRANTOR_OUTBOUND_CA: ${path} holds no certificate in PEM`)
}
