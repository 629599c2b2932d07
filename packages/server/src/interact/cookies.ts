/** Our cookies: `__Host-` ones only, so that no sibling host and no plain connection can plant or read them. */
import type { CookieChanges } from '@grantor/authority'
import { isLanguageTag, type LanguageTag } from '@grantor/protocol/oidc'
import type { Secret, TenantId } from '@grantor/protocol/types'
import { defaultTenant } from '../issuer.ts'

export interface Cookies {
  readonly browser: Secret | null
  readonly sessions: readonly Secret[]
  /** Sealed by the authority, which alone can read it. */
  readonly pendingSecondFactor: string | null
  readonly remembered: readonly Secret[]
  readonly language: LanguageTag | null
  /** The username last used to sign in. */
  readonly lastAccount: string | null
  /** Secrets of mailed links that this browser followed, moved out of the URL and not yet used. */
  readonly links: Readonly<Record<LinkPurpose, Secret | null>>
}

export const linkPurposes = ['reset', 'address', 'sign-up', 'invitation', 'sign-in-link'] as const
export type LinkPurpose = (typeof linkPurposes)[number]

/** Tenants share a host, but not sign-ins. `Path` must be `/` (RFC 6265bis §4.1.3.2), so the name has the tenant. */
const nameOf = (what: string, tenant: TenantId): string =>
  `__Host-grantor-${what}${tenant === defaultTenant ? '' : `-${tenant}`}`

const browserSecret = /^gb_[\w-]{43}$/
const sessionSecret = /^gl_[\w-]{43}$/
const rememberedSecret = /^gw_[\w-]{43}$/
/** Long enough to also hold the provider's session id, for a pending second factor after a sign-in by a provider. */
const sealedText = /^[\w-]{40,1200}$/
const linkSecret = /^gp_[\w-]{43}$/

export function readCookies(header: string | undefined, tenant: TenantId): Cookies {
  const all = parseCookies(header ?? '')
  const browser = all.get(nameOf('browser', tenant)) ?? ''
  const sessions = (all.get(nameOf('session', tenant)) ?? '').split('.').filter((secret) => sessionSecret.test(secret))
  const pendingSecondFactor = all.get(nameOf('halfway', tenant)) ?? ''
  const remembered = (all.get(nameOf('remembered', tenant)) ?? '')
    .split('.')
    .filter((secret) => rememberedSecret.test(secret))
  return {
    browser: browserSecret.test(browser) ? (browser as Secret) : null,
    sessions: sessions as readonly string[] as readonly Secret[],
    pendingSecondFactor: sealedText.test(pendingSecondFactor) ? pendingSecondFactor : null,
    remembered: remembered as readonly string[] as readonly Secret[],
    language: languageOf(all),
    lastAccount: accountIn(all, tenant),
    links: Object.fromEntries(
      linkPurposes.map((purpose) => [purpose, linkIn(all, purpose, tenant)]),
    ) as Cookies['links'],
  }
}

function linkIn(all: ReadonlyMap<string, string>, purpose: LinkPurpose, tenant: TenantId): Secret | null {
  const secret = all.get(nameOf(`${purpose}-link`, tenant)) ?? ''
  return linkSecret.test(secret) ? (secret as Secret) : null
}

const encodedName = /^[\w-]{1,342}$/

function accountIn(all: ReadonlyMap<string, string>, tenant: TenantId): string | null {
  const encoded = all.get(nameOf('account', tenant)) ?? ''
  return encodedName.test(encoded) ? Buffer.from(encoded, 'base64url').toString() : null
}

/** Null where the username is too long to be kept. */
export function accountCookie(username: string, tenant: TenantId): string | null {
  const encoded = Buffer.from(username).toString('base64url')
  return encodedName.test(encoded) ? cookie(nameOf('account', tenant), encoded, longest) : null
}

/** The language that a person chose, the same for all tenants. */
export const languageIn = (header: string | undefined): LanguageTag | null => languageOf(parseCookies(header ?? ''))

function languageOf(all: ReadonlyMap<string, string>): LanguageTag | null {
  const language = all.get('__Host-grantor-language') ?? ''
  return isLanguageTag(language) ? language : null
}

/** The first of two cookies of one name counts: browsers send the more specific one first. */
function parseCookies(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const pair of header.slice(0, 8192).split(';')) {
    const equals = pair.indexOf('=')
    const name = pair.slice(0, equals).trim()
    if (equals > 0 && !found.has(name)) found.set(name, pair.slice(equals + 1).trim())
  }
  return found
}

const hour = 3600
const day = 24 * hour
/** Seconds, the longest that browsers keep a cookie (RFC 6265bis §5.5). The rows behind the cookies may end earlier. */
const longest = 400 * day

export function cookieHeaders(changes: CookieChanges, tenant: TenantId): readonly string[] {
  const { browser, sessions, pendingSecondFactor, remembered } = changes
  return [
    ...(browser === undefined ? [] : [cookie(nameOf('browser', tenant), browser, longest)]),
    ...(sessions === undefined
      ? []
      : [cookie(nameOf('session', tenant), sessions.join('.'), sessions.length === 0 ? 0 : longest)]),
    ...(pendingSecondFactor === undefined
      ? []
      : [cookie(nameOf('halfway', tenant), pendingSecondFactor ?? '', pendingSecondFactor === null ? 0 : hour)]),
    ...(remembered === undefined ? [] : [cookie(nameOf('remembered', tenant), remembered.join('.'), longest)]),
  ]
}

/**
 * Kept for an hour, enough to finish after following a link; null, or a text that is no such secret, deletes the
 * cookie.
 */
export function linkCookie(purpose: LinkPurpose, secret: Secret | null, tenant: TenantId): string {
  const kept = secret !== null && linkSecret.test(secret) ? secret : ''
  return cookie(nameOf(`${purpose}-link`, tenant), kept, kept === '' ? 0 : 3600)
}

export const languageCookie = (tag: LanguageTag): string => cookie('__Host-grantor-language', tag, longest)

/** Lax: a client's redirect to /authorize must carry the cookies, a form of another site must not. */
const cookie = (name: string, value: string, maxAge: number): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAge}; Secure; HttpOnly; SameSite=Lax`
