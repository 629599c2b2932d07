/** Builds the outbound fetcher and the LDAP client from the settings. */
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { outboundAllowFrom } from '../config/registration.ts'
import type { Settings } from '../config/settings.ts'
import { authoritiesAt, openAuthorityFile } from '../tls/authority-file.ts'
import { openOutbound, type ServerOutbound } from './index.ts'
import { openLdap, type ServerLdap } from './ldap/ldap.ts'
import { resolveByDns } from './resolve.ts'

/** Called with the reason why a changed file of CA certificates cannot be used. */
export type OnUnreadable = (reason: string) => void

export type OutboundSettings = Pick<Settings, 'outboundAllow' | 'outboundCa'>

/** LDAP, by the same rules as HTTP. */
export const ldapFrom = (settings: OutboundSettings, failed: OnUnreadable): ServerLdap =>
  openLdap({
    allow: outboundAllowFrom(settings),
    resolve: resolveByDns(),
    roots: rootsFrom(settings, failed),
    now: Date.now,
  })

export const outboundFrom = (settings: OutboundSettings, failed: OnUnreadable): ServerOutbound =>
  openOutbound({
    allow: outboundAllowFrom(settings),
    resolve: resolveByDns(),
    roots: rootsFrom(settings, failed),
    now: Date.now,
  })

/** Made when first needed, as most commands make no requests; and again when the file of CA certificates changes. */
function rootsFrom({ outboundCa: path }: OutboundSettings, failed: OnUnreadable): () => SecureContext {
  const read = (at: string) => authoritiesAt(at, 'GRANTOR_OUTBOUND_CA')
  const extra = path === null ? () => null : openAuthorityFile({ path, read, failed })
  let made: { readonly of: readonly string[] | null; readonly roots: SecureContext } | null = null
  return () => {
    const of = extra()
    if (made?.of !== of) made = null
    made ??= { of, roots: rootsWith(of) }
    return made.roots
  }
}

function rootsWith(extra: readonly string[] | null): SecureContext {
  const ca = extra === null ? {} : { ca: [...getCACertificates('default'), ...extra] }
  return createSecureContext({ minVersion: 'TLSv1.2', ...ca })
}
