/** Grants and all that hangs on them, for the suite. */
import type { Grant } from '@grantor/protocol/grants'
import type { Basis } from '../../src/contract/directory/basis.ts'
import type { NewConsent } from '../../src/contract/tokens/consents.ts'
import type { NewBackchannelRequest } from '../../src/contract/tokens/backchannel.ts'
import type { DeviceStore, NewDevice } from '../../src/contract/tokens/devices.ts'
import type { NewCode, NewRefresh, OpenGrant } from '../../src/contract/tokens/grants.ts'
import type { NewPushedRequest } from '../../src/contract/tokens/pushed-requests.ts'
import type { NewStatusBlock, StatusEntry } from '../../src/contract/tokens/status-lists.ts'
import type { Issue, NewOpaqueToken, RevocableToken } from '../../src/contract/tokens/tokens.ts'
import { authentication } from './people.ts'
import { acme, at, event, grantId, handle, jti } from './values.ts'

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

/** What an access token is known by when its status is asked for. */
export const revocable = (more: Partial<RevocableToken> = {}): RevocableToken => ({
  jti: jti('j1'),
  grantId: null,
  clientId: 'web',
  subject: 'web',
  sessionId: null,
  issuedAt: at(2_000),
  ...more,
})

export const issuance = (basis: Basis, more: Partial<Issue> = {}): Issue => ({
  basis,
  at: at(2_000),
  grantId: null,
  spend: null,
  successor: null,
  opaque: null,
  proof: null,
  binding: null,
  events: [event('token.issued', { tenant: basis.tenant, clientId: basis.client?.id ?? null })],
  ...more,
})

export const statusBlock = (more: Partial<NewStatusBlock> = {}): NewStatusBlock => ({
  tenant: acme,
  size: 1024,
  until: at(1_000_000),
  newList: 'list 1',
  ...more,
})

export const statusEntry = (idx: number, more: Partial<StatusEntry> = {}): StatusEntry => ({
  list: 'list 1',
  idx,
  clientId: 'web',
  grantId: null,
  sessionId: null,
  issuedAt: at(2_000),
  ...more,
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
  confirmation: null,
  pairwiseSubject: null,
  pairwiseSid: null,
  createdAt: at(1_000),
  expiresAt: at(1_000_000),
  revokedAt: null,
  endsWithSession: null,
  sessionEndedAt: null,
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
  pushed: null,
  party: false,
  at: at(1_000),
  events: [event('consent.granted', { grantId: grantId(id) })],
  ...more,
})

export const pushedRequest = (id: string, more: Partial<NewPushedRequest> = {}): NewPushedRequest => ({
  tenant: acme,
  handle: handle(`pushed ${id}`),
  clientId: 'web',
  request: { clientId: 'web', scope: ['openid'], resources: [] },
  expiresAt: at(61_000),
  keptUntil: at(661_000),
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

/** By the back channel, for ada. */
export const backchannelRequest = (id: string, more: Partial<NewBackchannelRequest> = {}): NewBackchannelRequest => {
  const { userCode: _userCode, ...it } = device(id)
  return {
    ...it,
    handle: handle(`request ${id}`),
    subject: 'ada',
    terms: { acrValues: [], bindingMessage: 'W4SCT' },
    notification: Uint8Array.from([7, 7]),
    ...more,
  }
}

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
