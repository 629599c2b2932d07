/** The scopes that belong to the issuer itself. */
import { reportScope } from '../events/rejection-report.ts'
import { feedScope } from '../feed/feed.ts'
import { oidcScopeNames } from '../oidc/scopes.ts'
import type { ScopeEntry } from './tenant.ts'

/** The nouns of the admin API (docs/admin-api.md). */
export const adminNouns = Object.freeze([
  'tenants',
  'clients',
  'resources',
  'scopes',
  'users',
  'groups',
  'roles',
  'consents',
  'grants',
  'sessions',
  'devices',
  'keys',
  'registration-tokens',
  'api-keys',
  'operations',
  'events',
  'statistics',
  'locks',
  'mails',
  'webhooks',
  'providers',
  'settings',
])

/** Nouns that cannot be changed by the API. */
const onlyRead: ReadonlySet<string> = new Set(['events', 'statistics', 'settings'])

const issuerScope = (name: string, description: string, sensitivity: ScopeEntry['sensitivity']): ScopeEntry =>
  Object.freeze({ name, description, resource: null, sensitivity, mode: 'default' })

/** Scopes that belong to the issuer itself, in every tenant, without being declared. */
export const builtInScopes: readonly ScopeEntry[] = Object.freeze([
  ...adminNouns.flatMap((noun) => [
    issuerScope(`admin:${noun}:read`, `Read ${noun} of this service`, 'high'),
    ...(onlyRead.has(noun) ? [] : [issuerScope(`admin:${noun}:write`, `Change ${noun} of this service`, 'high')]),
  ]),
  issuerScope(feedScope, 'Follow the revocation feed', 'normal'),
  issuerScope(reportScope, 'Report rejected tokens', 'normal'),
  issuerScope('metrics:read', 'Read metrics', 'normal'),
  issuerScope('scim:read', 'Read people by SCIM', 'high'),
  issuerScope('scim:write', 'Provision people by SCIM', 'high'),
  // Named by the CAEP Interoperability Profile.
  issuerScope('ssf.read', 'Read streams of shared signals', 'high'),
  issuerScope('ssf.manage', 'Make and change streams of shared signals', 'high'),
])

/** Their names. */
export const issuerScopes: ReadonlySet<string> = new Set(builtInScopes.map((entry) => entry.name))

/** The scopes of administrators; each kind of administrator has some of them. */
export const adminScopes: readonly string[] = [...issuerScopes].filter((name) => name.startsWith('admin:'))

/** Names that cannot be declared as scopes. */
export const reservedScopes: ReadonlySet<string> = new Set([...oidcScopeNames, ...issuerScopes])
