/** The nouns of the protocol as tests want them: a fresh, plain value at each call, but for what the test says of it. */
import type { Grant, RefreshFacts } from '../src/grants/grant.ts'
import type { AccessTokenFacts } from '../src/oauth/access-token.ts'
import type { Catalogue, Resource, ScopeEntry } from '../src/oauth/tenant.ts'
import type { Person } from '../src/people/person.ts'
import type { ClientMetadata } from '../src/registration/client-fields.ts'
import type { Client } from '../src/registration/client.ts'
import type { GrantId, Instant, TenantId, TokenId } from '../src/types.ts'

export const at = (n: number) => n as Instant
export const tenant = 'default' as TenantId
export const issuer = 'https://as.example'

export const client = (
  metadata: Partial<ClientMetadata> = {},
  more: Partial<Omit<Client, 'metadata'>> = {},
): Client => ({
  tenant,
  id: 'web',
  metadata: {
    redirect_uris: ['https://client.example/cb'],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: 'openid',
    ...metadata,
  },
  secrets: [],
  origin: 'declared',
  createdAt: at(0),
  updatedAt: at(0),
  disabledAt: null,
  version: 1,
  ...more,
})

export const resource = (identifier: string): Resource => ({
  identifier,
  name: identifier,
  tokenFormat: 'jwt',
  tokenTyp: 'at+jwt',
  accessTtl: null,
})

export const scopeEntry = (name: string, owner: string | null, mode: ScopeEntry['mode'] = 'default'): ScopeEntry => ({
  name,
  description: name,
  resource: owner,
  sensitivity: 'normal',
  mode,
})

/** Two APIs: `a:read` and `a:write` belong to one, `b:read` to the other. */
export const catalogue = (more: Partial<Catalogue> = {}): Catalogue => ({
  tenant: { id: tenant, name: '', revision: 1, disabledAt: null },
  resources: [resource('https://a.example'), resource('https://b.example')],
  scopes: [
    scopeEntry('a:read', 'https://a.example'),
    scopeEntry('a:write', 'https://a.example'),
    scopeEntry('b:read', 'https://b.example'),
  ],
  ...more,
})

export const person = (more: Partial<Person> = {}): Person => ({
  tenant,
  id: 'alice',
  username: 'alice',
  claims: {},
  createdAt: at(0),
  disabledAt: null,
  administrator: null,
  mustChangePassword: false,
  ...more,
})

export const grant = (more: Partial<Grant> = {}): Grant => ({
  id: 'g1' as GrantId,
  tenant,
  clientId: 'web',
  authentication: { subject: 'alice', sessionId: 's1', at: at(5000), acr: 'pwd', amr: ['pwd'] },
  scope: new Set(['openid', 'offline_access']),
  resources: [],
  claims: null,
  nonce: null,
  confirmation: null,
  pairwiseSubject: null,
  pairwiseSid: null,
  createdAt: at(10_000),
  expiresAt: at(10_000_000),
  revokedAt: null,
  endsWithSession: null,
  sessionEndedAt: null,
  ...more,
})

/** A refresh token of all that its grant holds, and of its whole life. */
export const refreshFacts = (of: Grant, more: Partial<RefreshFacts> = {}): RefreshFacts => ({
  grant: of,
  scope: of.scope,
  expiresAt: of.expiresAt,
  spentAt: null,
  spentFor: null,
  successorSpentAt: null,
  salt: new Uint8Array(16),
  ...more,
})

export const accessFacts = (more: Partial<AccessTokenFacts> = {}): AccessTokenFacts => ({
  jti: 'j1' as TokenId,
  clientId: 'web',
  subject: 'alice',
  grantId: 'g1' as GrantId,
  audience: 'https://api.example',
  scope: new Set(),
  issuedAt: at(0),
  expiresAt: at(600_000),
  claims: {},
  ...more,
})
