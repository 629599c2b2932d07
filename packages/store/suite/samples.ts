/** Fresh values for the suite, each whole and unlike the others. */
import { randomUUID } from 'node:crypto'
import type { EventName, NewEvent } from '@grantor/protocol/events'
import type { Grant } from '@grantor/protocol/grants'
import type { KeyRecord } from '@grantor/protocol/jose'
import type { Authentication } from '@grantor/protocol/people'
import type { EventId, GrantId, Handle, Instant, TenantId, TokenId } from '@grantor/protocol/types'
import type { NewClient } from '../src/contract/clients/clients.ts'
import type { Basis } from '../src/contract/directory/basis.ts'
import type { DirectoryChange } from '../src/contract/directory/directory.ts'
import type { NewMail } from '../src/contract/outgoing/mails.ts'
import type { InteractionRow } from '../src/contract/people/interactions.ts'
import type { LinkRow } from '../src/contract/people/links.ts'
import type { SessionRow } from '../src/contract/people/sessions.ts'
import type { UserRow } from '../src/contract/people/users.ts'
import type { Store } from '../src/contract/store.ts'
import type { NewConsent } from '../src/contract/tokens/consents.ts'
import type { DeviceStore, NewDevice } from '../src/contract/tokens/devices.ts'
import type { NewCode, NewRefresh, OpenGrant } from '../src/contract/tokens/grants.ts'
import type { Issue, NewOpaqueToken } from '../src/contract/tokens/tokens.ts'
import { type Entry, entryOf } from '../src/verbs/entry.ts'

export const at = (n: number): Instant => n as Instant
export const acme = 'acme' as TenantId
export const other = 'other' as TenantId
export const handle = (text: string): Handle => text as Handle
export const grantId = (text: string): GrantId => text as GrantId
export const jti = (text: string): TokenId => text as TokenId

export const event = (name: EventName, more: Partial<NewEvent> = {}): NewEvent => ({
  id: randomUUID() as string as EventId,
  tenant: acme,
  at: at(1_000),
  name,
  actor: { kind: 'system', id: null },
  subject: null,
  clientId: null,
  grantId: null,
  jti: null,
  scope: null,
  reason: null,
  ip: null,
  traceId: null,
  data: null,
  ...more,
})

/** An event of that name, as a verb carries it. */
export const entries = (name: EventName): readonly Entry[] => [entryOf(event(name))]

export const change = (more: Partial<DirectoryChange> = {}): DirectoryChange => ({
  tenant: acme,
  expected: null,
  putResources: [],
  dropResources: [],
  putScopes: [],
  dropScopes: [],
  createClients: [],
  replaceClients: [],
  dropClients: [],
  at: at(1_000),
  events: [event('admin.tenant_changed', { tenant: more.tenant ?? acme })],
  ...more,
})

export const client = (id: string, more: Partial<NewClient> = {}): NewClient => ({
  tenant: acme,
  id,
  metadata: {
    client_name: 'Web shop ✓',
    redirect_uris: ['https://client.example/cb'],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: 'openid a:read',
  },
  origin: 'manual',
  secrets: [{ handle: handle(`secret of ${id}`), createdAt: at(1_000), expiresAt: null }],
  createdAt: at(1_000),
  ...more,
})

/** A tenant with one client, and the basis of a decision about that client. */
export async function tenantWithClient(store: Store, tenant: TenantId = acme, id = 'web'): Promise<Basis> {
  await store.directory.apply([change({ tenant, createClients: [client(id, { tenant })] })])
  return basisNow(store, tenant, id)
}

export async function basisNow(store: Store, tenant: TenantId = acme, id = 'web'): Promise<Basis> {
  const catalogue = await store.directory.catalogue(tenant)
  const found = await store.clients.find(tenant, id)
  if (catalogue === null || found === null) throw new Error('no such tenant or client')
  return { tenant, revision: catalogue.tenant.revision, client: { id, version: found.version } }
}

export const opaqueToken = (name: string, more: Partial<NewOpaqueToken> = {}): NewOpaqueToken => ({
  handle: handle(`handle of ${name}`),
  jti: jti(`jti of ${name}`),
  clientId: 'web',
  subject: 'web',
  grantId: null,
  audience: 'https://api.example',
  scope: new Set(['a:read', 'a:write']),
  issuedAt: at(1_000),
  expiresAt: at(601_000),
  claims: { cnf: { jkt: 'x' }, 'odd name': null },
  ...more,
})

export const issuance = (basis: Basis, more: Partial<Issue> = {}): Issue => ({
  basis,
  at: at(2_000),
  grantId: null,
  spend: null,
  successor: null,
  opaque: null,
  events: [event('token.issued', { tenant: basis.tenant, clientId: basis.client?.id ?? null })],
  ...more,
})

export const key = (generation: number, more: Partial<KeyRecord> = {}): KeyRecord => ({
  tenant: acme,
  kid: `kid ${randomUUID()}`,
  alg: 'ES256',
  generation,
  publishedAt: at(1_000),
  activatesAt: at(2_000),
  notedActiveAt: null,
  droppedAt: null,
  publicJwk: { kty: 'EC', crv: 'P-256' },
  sealedPrivate: Uint8Array.from([0, 1, 2, 254, 255]),
  ...more,
})

export const authentication = (subject = 'ada', sessionId = 's1'): Authentication => ({
  subject,
  sessionId,
  at: at(900),
  acr: 'urn:grantor:pwd',
  amr: ['pwd', 'otp'],
})

export const grant = (id: string, more: Partial<Grant> = {}): Grant => ({
  id: grantId(id),
  tenant: acme,
  clientId: 'web',
  authentication: authentication(),
  scope: new Set(['openid', 'a:read', 'offline_access']),
  resources: ['https://api.example'],
  claims: { id_token: { email: null } },
  nonce: 'n-0S6',
  pairwiseSubject: null,
  createdAt: at(1_000),
  expiresAt: at(1_000_000),
  revokedAt: null,
  ...more,
})

export const code = (id: string, more: Partial<NewCode> = {}): NewCode => ({
  handle: handle(`code ${id}`),
  redirectUri: 'https://client.example/cb',
  redirectUriSent: true,
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  expiresAt: at(61_000),
  ...more,
})

export const consent = (id: string, more: Partial<NewConsent> = {}): NewConsent => ({
  id: `consent ${id}`,
  tenant: acme,
  subject: 'ada',
  clientId: 'web',
  client: { client_name: 'Web shop' },
  scope: 'openid a:read offline_access',
  resources: ['https://api.example'],
  authorizationDetails: null,
  claims: null,
  grantedAt: at(1_000),
  expiresAt: null,
  how: 'page',
  textVersion: '1',
  grantId: grantId(id),
  ...more,
})

export const opening = (basis: Basis, id: string, more: Partial<OpenGrant> = {}): OpenGrant => ({
  basis,
  grant: grant(id),
  code: code(id),
  consent: consent(id),
  interaction: null,
  party: false,
  at: at(1_000),
  events: [event('consent.granted', { grantId: grantId(id) })],
  ...more,
})

export const device = (id: string, more: Partial<NewDevice> = {}): NewDevice => ({
  tenant: acme,
  handle: handle(`device ${id}`),
  userCode: handle(`user code ${id}`),
  clientId: 'web',
  request: { scope: ['openid'], resources: [] },
  ip: '192.0.2.1',
  userAgent: null,
  askedAt: at(1_000),
  expiresAt: at(601_000),
  interval: 5,
  salt: Uint8Array.from([3, 2, 1]),
  ...more,
})

type Approval = Parameters<DeviceStore['approve']>[0]

/** Of the device d1, in the interaction i1. */
export const deviceApproval = (basis: Basis, id: string, more: Partial<Approval> = {}): Approval => {
  const { code: _code, ...it } = opening(basis, id)
  return {
    ...it,
    consent: consent(id, { how: 'device' }),
    device: handle('device d1'),
    interaction: handle('interaction i1'),
    ...more,
  }
}

export const refresh = (name: string, grant: string, more: Partial<NewRefresh> = {}): NewRefresh => ({
  handle: handle(`refresh ${name}`),
  grantId: grantId(grant),
  scope: 'openid a:read',
  salt: Uint8Array.from([9, 8, 7]),
  expiresAt: at(500_000),
  ...more,
})

export const user = (id: string, more: Partial<UserRow> = {}): Omit<UserRow, 'version'> => ({
  tenant: acme,
  id,
  username: `Name-of-${id}`,
  claims: { email: `${id}@example.com`, email_verified: true },
  createdAt: at(1_000),
  disabledAt: null,
  passwordHash: '$argon2id$…',
  passwordChangedAt: at(1_000),
  ...more,
})

export const session = (id: string, more: Partial<SessionRow> = {}): SessionRow => ({
  tenant: acme,
  id,
  handle: handle(`session ${id}`),
  browser: handle('browser 1'),
  authentication: authentication('ada', id),
  createdAt: at(1_000),
  lastSeenAt: at(1_000),
  expiresAt: at(900_000),
  endedAt: null,
  ip: '192.0.2.1',
  userAgent: 'Firefox',
  ...more,
})

export const interaction = (id: string, more: Partial<InteractionRow> = {}): InteractionRow => ({
  tenant: acme,
  handle: handle(`interaction ${id}`),
  browser: handle('browser 1'),
  kind: 'authorize',
  request: { client_id: 'web', scope: 'openid' },
  progress: {},
  openedAt: at(1_000),
  expiresAt: at(601_000),
  closedAt: null,
  version: 1,
  ...more,
})

export const mail = (id: string, more: Partial<NewMail> = {}): NewMail => ({
  tenant: acme,
  id,
  kind: 'reset',
  subject: 'ada',
  sealed: Uint8Array.from([0, 9, 255]),
  madeAt: at(1_000),
  expiresAt: at(900_000),
  ...more,
})

export const link = (name: string, more: Partial<LinkRow> = {}): LinkRow => ({
  tenant: acme,
  handle: handle(`link ${name}`),
  purpose: name === 'address' ? 'address' : 'reset',
  subject: 'ada',
  email: 'ada@example.com',
  madeAt: at(1_000),
  expiresAt: at(900_000),
  ...more,
})
