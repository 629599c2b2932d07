/** The outbound fetcher as the settings wish it. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { outboundAllowFrom } from '../config/registration.ts'
import type { Settings } from '../config/settings.ts'
import { StartError } from '../start-error.ts'
import { openOutbound, type ServerOutbound } from './index.ts'
import { openLdap, type ServerLdap } from './ldap/ldap.ts'
import { resolveByDns } from './resolve.ts'

export type OutboundSettings = Pick<Settings, 'outboundAllow' | 'outboundCa'>

/** The same rules for what does not speak HTTP. */
export function ldapFrom(settings: OutboundSettings): ServerLdap {
  let roots: SecureContext | null = null
  const extra = settings.outboundCa === null ? null : authorities(settings.outboundCa)
  return openLdap({
    allow: outboundAllowFrom(settings),
    resolve: resolveByDns(),
    roots: () => (roots ??= rootsWith(extra)),
    now: Date.now,
  })
}

export function outboundFrom(settings: OutboundSettings): ServerOutbound {
  const extra = settings.outboundCa === null ? null : authorities(settings.outboundCa)
  let roots: SecureContext | null = null
  return openOutbound({
    allow: outboundAllowFrom(settings),
    resolve: resolveByDns(),
    // Made when first needed: most commands never go out.
    roots: () => (roots ??= rootsWith(extra)),
    now: Date.now,
  })
}

function rootsWith(extra: readonly string[] | null): SecureContext {
  const ca = extra === null ? {} : { ca: [...getCACertificates('default'), ...extra] }
  return createSecureContext({ minVersion: 'TLSv1.2', ...ca })
}

/** Each by itself: what cannot be read among them would be left out without a word. */
function authorities(path: string): readonly string[] {
  try {
    const found = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g) ?? []
    if (found.length > 0) return found.map((pem) => new X509Certificate(pem).toString())
  } catch (cause) {
    throw new StartError(`GRANTOR_OUTBOUND_CA: ${path} cannot be read as certificates in PEM`, { cause })
  }
  throw new StartError(`GRANTOR_OUTBOUND_CA: ${path} holds no certificate in PEM`)
}
