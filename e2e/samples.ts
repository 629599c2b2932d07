/** Sample data for the gallery: plausible, awkward and hostile. */
import { type LanguageTag, uiLocales } from '@grantor/protocol/oidc'
import type { Instant } from '@grantor/protocol/types'
import {
  type AccountPageContext,
  type RequestsData,
  type AddressData,
  type OwnDataData,
  type ProfileData,
  type ConnectedApp,
  type PageContext,
  type LandingData,
  type Language,
  type ActivityData,
  type ShownEvent,
  type ShownSession,
  type SignInMethodsData,
  type Theme,
  defaultTheme,
  languages,
  createTheme,
} from '@grantor/server/pages'

export const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** A fixed moment, so that every run draws the same pictures. */
export const now = Date.UTC(2026, 10, 15, 10, 30)

export const target = { action: '/nothing', csrf: 'sample-token' }

let drawn: Language | null = null

/** Draws everything in one language, whichever is named for each state. */
export function inLanguage<T>(language: Language, draw: () => T): T {
  drawn = language
  try {
    return draw()
  } finally {
    drawn = null
  }
}

export const frame = (tag: LanguageTag = 'en', theme: Theme = defaultTheme): PageContext => ({
  base: '',
  theme,
  language: drawn ?? languages[tag],
  languageLinks: uiLocales.map((tag) => ({ tag, href: `?lang=${tag}` })),
  mail: { forgotHref: '/forgot-password' },
})

export const accountFrame = (
  tag: LanguageTag = 'en',
  notice: AccountPageContext['notice'] = null,
): AccountPageContext => ({
  ...frame(tag),
  requests: true,
  home: '/account',
  account: { name: 'Alice Doe', username: 'alice@example.com' },
  signOut: target,
  notice,
})

export const landing: LandingData = {
  issuerPath: '',
  steps: [
    { does: 'token', line: 'curl -sS --cacert data/tls/ca.pem -u demo-service:gs_sample https://localhost:8443/token' },
    { does: 'browser', line: 'https://localhost:8444/client/' },
  ],
}

/** Options as a server would pose them; nobody answers in a gallery. */
export const passkey = {
  form: target,
  options: { challenge: 'c2FtcGxl', rpId: 'localhost', userVerification: 'required', allowCredentials: [] },
}

export const secondFactor = {
  form: target,
  account: { name: 'Alice Doe', username: 'alice@example.com' },
  otp: true,
  recoveryCodes: 10,
  passkeyOnly: false,
  passkey,
  rememberFor: 30 * 86_400,
  typed: null,
  error: null,
}

export const methods: SignInMethodsData = {
  form: target,
  confirmHref: null,
  passkeys: [
    { reference: 'k1', name: 'Alice’s phone', synced: true, createdAt: now - 40 * day, usedAt: now - 3 * hour },
    {
      reference: 'k2',
      name: 'A security key with a very long name that somebody gave it',
      synced: false,
      createdAt: now - day,
      usedAt: null,
    },
  ],
  addPasskey: { ...passkey, suggestion: 'Chrome · Linux' },
  authenticator: { createdAt: now - 90 * day, usedAt: now - 2 * day },
  authenticatorHref: '/nothing',
  recoveryCodes: 2,
  browsers: [
    { reference: 'b1', device: 'Firefox · Linux', usedAt: now - hour, endsAt: now + 20 * day },
    { reference: 'b2', device: null, usedAt: now - 9 * day, endsAt: now + 2 * day },
  ],
  providers: [
    { id: 'google', kind: 'google', name: 'Google', linkedAt: (now - 5 * day) as Instant },
    { id: 'corp', kind: 'oidc', name: 'A provider with a name that is long', linkedAt: null },
  ],
  failed: null,
  now,
}

const kinds = {
  google: 'Google',
  microsoft: 'Microsoft',
  apple: 'Apple',
  gitlab: 'GitLab',
  github: 'GitHub',
  oidc: 'A provider with a name that is long',
} as const

export const providers = {
  form: target,
  list: (Object.keys(kinds) as (keyof typeof kinds)[]).map((kind) => ({ id: kind, kind, name: kinds[kind] })),
  byAddress: true,
}

export const providerAway = { kind: 'provider', problem: 'unavailable', name: 'Google' } as const

export const noMethods: SignInMethodsData = {
  ...methods,
  passkeys: [],
  authenticator: null,
  recoveryCodes: 0,
  browsers: [],
}

export const authenticator = {
  form: target,
  sealed: 'sealed',
  uri: 'otpauth://totp/Grantor:alice%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Grantor',
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  back: '/nothing',
  failed: false,
}

export const recoveryCodes = {
  codes: Array.from({ length: 10 }, (_, n) => `9XQ${n}-4ZKT-0M7V-B2HC`),
  isFirst: true,
  onward: '/nothing',
}

const acmeLogo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">
<circle cx="16" cy="16" r="16" fill="#8a1f5c"/><path d="M16 6c4 5.500 6.500 8.700 6.500 12a6.500 6.500 0 0 1-13 0C9.500 14.700 12 11.500 16 6z" fill="#fff"/></svg>`

export const acme: Theme = (() => {
  const themed = createTheme({
    name: 'Acme Water & Power',
    logo: { bytes: Buffer.from(acmeLogo), contentType: 'image/svg+xml' },
    accent: '#8a1f5c',
    background: '#faf6f8',
    backgroundDark: '#160f13',
  })
  if (themed.kind === 'error') throw new Error(themed.error.join('; '))
  return themed.value
})()

export const apps: readonly ConnectedApp[] = [
  {
    reference: 'g1',
    name: 'Photo Printer',
    vouchedBy: 'operator',
    provenHost: 'print.example.com',
    firstParty: false,
    logo: '/logos?client_id=print',
    open: 'https://print.example.com/login?iss=https%3A%2F%2Fid.example.com',
    scopes: ['See your photos and albums', 'Add photos and change their descriptions', 'See your email address'],
    resources: ['Photos'],
    firstUsedAt: now - 40 * day,
    lastUsedAt: now - 2 * hour,
    endsAt: now + 140 * day,
    hasAccess: true,
  },
  {
    reference: 'g2',
    name: 'Command line tool',
    vouchedBy: 'nobody',
    provenHost: null,
    firstParty: false,
    logo: null,
    open: null,
    scopes: ['See your orders'],
    resources: ['Orders', 'Invoices'],
    firstUsedAt: null,
    lastUsedAt: null,
    endsAt: null,
    hasAccess: true,
  },
  {
    reference: 'g3',
    name: 'Customer portal',
    vouchedBy: 'operator',
    provenHost: 'portal.example.com',
    firstParty: true,
    logo: null,
    open: null,
    scopes: ['See your orders'],
    resources: ['Orders'],
    firstUsedAt: now - 3 * day,
    lastUsedAt: now - hour,
    endsAt: now + day,
    hasAccess: true,
  },
  {
    reference: 'g4',
    name: 'Travel planner',
    vouchedBy: 'operator',
    provenHost: 'travel.example.com',
    firstParty: false,
    logo: null,
    open: null,
    scopes: ['See your orders'],
    resources: ['Orders'],
    firstUsedAt: null,
    lastUsedAt: null,
    endsAt: null,
    hasAccess: false,
  },
]

export const sessions: readonly ShownSession[] = [
  {
    reference: 's1',
    device: 'Firefox on Linux',
    address: '203.0.113.7',
    startedAt: now - 3 * day,
    seenAt: now - 20_000,
    current: true,
  },
  {
    reference: 's2',
    device: 'Safari on iPhone',
    address: '2001:db8:85a3::8a2e:370:7334',
    startedAt: now - 12 * day,
    seenAt: now - day,
    current: false,
  },
  { reference: 's3', device: null, address: null, startedAt: now - 20 * day, seenAt: now - 5 * day, current: false },
]

const event = (kind: ShownEvent['kind'], ago: number, client: string | null = null): ShownEvent => ({
  kind,
  at: now - ago,
  client,
  address: kind === 'grant.revoked' ? null : '203.0.113.7',
  device: kind === 'grant.revoked' ? null : 'Firefox · Linux',
})

const events: readonly ShownEvent[] = [
  event('session.started', 20 * minute, 'Photo Printer'),
  event('login.failed', 25 * minute),
  event('consent.granted', 3 * hour, 'Photo Printer'),
  event('token.replayed', day, 'Command line tool'),
  event('grant.revoked', 2 * day, 'Old app'),
  event('consent.withdrawn', 6 * day, 'Old app'),
  event('password.changed', 20 * day),
  event('session.ended', 21 * day),
]

export const activity: ActivityData = {
  events,
  group: null,
  addressOf: (group) => `?show=${group}`,
  older: null,
  now,
}

export const profile: ProfileData = {
  form: target,
  profile: {
    name: 'Alice Doe',
    given_name: 'Alice',
    family_name: 'Doe',
    locale: 'en',
    zoneinfo: 'Mars/Olympus',
    picture: '',
  },
  wrong: null,
}
export const ownData: OwnDataData = {
  form: target,
  downloadHref: '/account/data/download',
  dueAt: now + 14 * 86_400_000,
  hasPassword: true,
  error: null,
}

export const ownPassword = { form: target, leastLength: 12, hasPassword: true, error: null }

export const address: AddressData = {
  form: target,
  email: 'alice@example.com',
  verified: true,
  hasPassword: true,
  pending: null,
  linkGone: false,
  typed: '',
  error: null,
}

export const forgot = { form: target, signIn: '/account' }

export const sent = { clientId: 'photo-printer', redirectUri: `http://localhost:3000/${'long/'.repeat(30)}cb` }

export const signUpMail = { forgotHref: '/forgot-password', signUpHref: '/sign-up', signInLinkHref: '/sign-in-link' }
export const signUp = { form: target, signIn: '/account' }
export const terms = { version: '2026-11', url: 'https://as.example/terms' }
export const newAccount = { form: target, email: 'alice@example.com', name: 'Alice Doe', terms, leastLength: 8 }

export const newPassword = { form: target, username: 'alice@example.com', leastLength: 8 }

export const noRequests: RequestsData = {
  form: target,
  request: null,
  others: [],
  hasUserCode: false,
  error: null,
  now,
}
