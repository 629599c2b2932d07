/** People, and what they do and get, for the suite. */
import type { Authentication } from '@grantor/protocol/people'
import type { NewMail } from '../../src/contract/outgoing/mails.ts'
import type { InteractionRow } from '../../src/contract/people/interactions.ts'
import type { InvitationRow } from '../../src/contract/people/invitations.ts'
import type { LinkRow } from '../../src/contract/people/links.ts'
import type { SignInLinkRow } from '../../src/contract/people/sign-in-links.ts'
import type { SessionRow } from '../../src/contract/people/sessions.ts'
import type { UserRow } from '../../src/contract/people/users.ts'
import { acme, at, handle } from './values.ts'

export const authentication = (subject = 'ada', sessionId = 's1'): Authentication => ({
  subject,
  sessionId,
  at: at(900),
  acr: 'urn:grantor:pwd',
  amr: ['pwd', 'otp'],
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
  administrator: null,
  mustChangePassword: false,
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

export const invitation = (name: string, more: Partial<InvitationRow> = {}): InvitationRow => ({
  tenant: acme,
  id: name,
  handle: handle(`invitation ${name}`),
  kind: 'invitation',
  email: `${name}@example.com`,
  preset: { name: 'Grace' },
  invitedBy: 'operator',
  sealedReturn: Uint8Array.from([0, 7, 255]),
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

export const signInLink = (name: string, more: Partial<SignInLinkRow> = {}): SignInLinkRow => ({
  tenant: acme,
  handle: handle(`sign-in link ${name}`),
  subject: 'ada',
  browser: handle('browser 1'),
  sealedReturn: Uint8Array.from([0, 7, 255]),
  madeAt: at(1_000),
  expiresAt: at(600_000),
  ...more,
})
