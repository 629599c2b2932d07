/**
 * Whether a signed assertion is for this server, current, and for this sign-in (SAML Profiles §4.1.4.3, SAML Core §2),
 * and its content.
 */
import type { Instant, Json, JsonObject } from '../types.ts'

/** A parsed assertion: child elements are in a list per name, `$` has the attributes, `_` the text. */
export interface SamlElement {
  readonly $?: Readonly<Record<string, string>>
  readonly _?: string
  readonly [child: string]: readonly SamlElement[] | Readonly<Record<string, string>> | string | undefined
}

export interface SamlRequirements {
  /** The required issuer (entity id). */
  readonly issuer: string
  /** Our own entity id at the provider. */
  readonly audience: string
  /** The address where it must have been sent. */
  readonly recipient: string
  /** The id of the request that it must answer. */
  readonly inResponseTo: string
  readonly now: Instant
  /** Seconds of tolerance for the provider's clock. */
  readonly leeway: number
}

const childrenOf = (element: SamlElement | undefined, name: string): readonly SamlElement[] => {
  const found = element?.[name]
  return Array.isArray(found) ? (found as readonly SamlElement[]) : []
}
const onlyChild = (element: SamlElement | undefined, name: string): SamlElement | undefined => {
  const all = childrenOf(element, name)
  return all.length === 1 ? all[0] : undefined
}
const attribute = (element: SamlElement | undefined, name: string): string | undefined =>
  element?.$ !== undefined && Object.hasOwn(element.$, name) ? element.$[name] : undefined
/** The parser makes a plain string of an element without attributes. */
const textIn = (element: SamlElement | string | undefined): string =>
  (typeof element === 'string' ? element : (element?._ ?? '')).trim()

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/**
 * The first failed check, for the operator's log; null where the assertion is valid. Its signature was verified before.
 */
export function samlProblem(assertion: SamlElement, on: SamlRequirements): string | null {
  if (attribute(assertion, 'Version') !== '2.0') return 'saml_version'
  if (textIn(onlyChild(assertion, 'Issuer')) !== on.issuer) return 'saml_issuer'
  const subject = onlyChild(assertion, 'Subject')
  const confirmed = childrenOf(subject, 'SubjectConfirmation').filter((it) => attribute(it, 'Method') === bearer)
  const problems = confirmed.map((it) => confirmationProblem(onlyChild(it, 'SubjectConfirmationData'), on))
  if (!problems.includes(null)) return problems[0] ?? 'saml_confirmation'
  const conditions = onlyChild(assertion, 'Conditions')
  if (conditions === undefined) return 'saml_conditions'
  if (timeProblem(conditions, on)) return 'saml_conditions_time'
  // §2.5.1.4: every restriction must be fulfilled, each by one of its audiences.
  const restrictions = childrenOf(conditions, 'AudienceRestriction')
  const isMeant = (it: SamlElement): boolean => childrenOf(it, 'Audience').some((one) => textIn(one) === on.audience)
  if (restrictions.length === 0 || !restrictions.every(isMeant)) return 'saml_audience'
  if (childrenOf(assertion, 'AuthnStatement').length !== 1) return 'saml_authn_statement'
  const statement = onlyChild(assertion, 'AuthnStatement')
  if (instantOf(attribute(statement, 'AuthnInstant')) === null) return 'saml_authn_instant'
  if (attribute(statement, sessionEnd) === undefined) return null
  const ends = samlSessionEnd(assertion)
  return ends === null || ends <= on.now ? 'saml_session_time' : null
}

const sessionEnd = 'SessionNotOnOrAfter'

/** SAML Core §2.7.2: when the session at the provider ends; null where that is not stated. */
export const samlSessionEnd = (assertion: SamlElement): Instant | null =>
  instantOf(attribute(onlyChild(assertion, 'AuthnStatement'), sessionEnd)) as Instant | null

/** SAML Profiles §4.1.4.2: checks recipient, request and expiry; a NotBefore is not allowed. */
function confirmationProblem(data: SamlElement | undefined, on: SamlRequirements): string | null {
  if (attribute(data, 'Recipient') !== on.recipient) return 'saml_recipient'
  if (attribute(data, 'InResponseTo') !== on.inResponseTo) return 'saml_in_response_to'
  const until = instantOf(attribute(data, 'NotOnOrAfter'))
  if (until === null || until <= on.now - on.leeway * 1000) return 'saml_confirmation_time'
  return attribute(data, 'NotBefore') === undefined ? null : 'saml_confirmation_time'
}

function timeProblem(conditions: SamlElement, { now, leeway }: SamlRequirements): boolean {
  const [from, until] = [attribute(conditions, 'NotBefore'), attribute(conditions, 'NotOnOrAfter')]
  const [begins, ends] = [instantOf(from), instantOf(until)]
  if ((from !== undefined && begins === null) || (until !== undefined && ends === null)) return true
  return (begins !== null && begins > now + leeway * 1000) || (ends !== null && ends <= now - leeway * 1000)
}

/** SAML Core §1.3.3: only UTC. */
function instantOf(text: string | undefined): number | null {
  if (text === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : at
}

const nameIdFormats = {
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
}
const longestSubject = 255

/**
 * The lasting identifier of the person at the provider: the NameID unless it is transient, or the attribute that the
 * operator named; null for neither.
 */
export function samlSubject(assertion: SamlElement, subjectAttribute: string | null): string | null {
  const name = onlyChild(onlyChild(assertion, 'Subject'), 'NameID')
  const named =
    subjectAttribute === null
      ? attribute(name, 'Format') === nameIdFormats.transient
        ? []
        : [textIn(name)]
      : (samlAttributes(assertion).get(subjectAttribute) ?? [])
  const [value = ''] = named
  return named.length === 1 && value !== '' && value.length <= longestSubject && !/[\p{Cc}\p{Cs}]/u.test(value)
    ? value
    : null
}

/** Equivalent attribute names: object identifiers (RFC 4519, RFC 2798) and those of AD FS. */
const aliases: Readonly<Record<string, string>> = {
  'urn:oid:0.9.2342.19200300.100.1.1': 'uid',
  'urn:oid:0.9.2342.19200300.100.1.3': 'mail',
  'urn:oid:2.5.4.3': 'cn',
  'urn:oid:2.5.4.4': 'sn',
  'urn:oid:2.5.4.42': 'givenName',
  'urn:oid:2.16.840.1.113730.3.1.39': 'preferredLanguage',
  'urn:oid:2.16.840.1.113730.3.1.241': 'displayName',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress': 'mail',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname': 'givenName',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname': 'sn',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name': 'displayName',
}

function samlAttributes(assertion: SamlElement): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  const all = childrenOf(assertion, 'AttributeStatement').flatMap((it) => childrenOf(it, 'Attribute'))
  for (const one of all) {
    const values = childrenOf(one, 'AttributeValue').map(textIn)
    const name = attribute(one, 'Name') ?? ''
    for (const called of [name, aliases[name], attribute(one, 'FriendlyName')])
      if (called !== undefined && called !== '' && !found.has(called)) found.set(called, values)
  }
  return found
}

/**
 * The attributes as claims: the first value of each; an address counts as verified where the tenant trusts the provider
 * for that.
 */
export function samlClaims(assertion: SamlElement, { believed }: { readonly believed: boolean }): JsonObject {
  const claims = new Map<string, Json>()
  for (const [name, [value]] of samlAttributes(assertion)) if (value !== undefined) claims.set(name, value)
  const name = onlyChild(onlyChild(assertion, 'Subject'), 'NameID')
  if (attribute(name, 'Format') === nameIdFormats.email && !claims.has('mail')) claims.set('mail', textIn(name))
  return { ...Object.fromEntries(claims), email_verified: believed }
}

/** Classes of SAML Authentication Context §3.4 and REFEDS, as methods of RFC 8176; other classes are unknown. */
const contextMethods: Readonly<Record<string, readonly string[]>> = {
  'urn:oasis:names:tc:SAML:2.0:ac:classes:Password': ['pwd'],
  'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport': ['pwd'],
  'urn:oasis:names:tc:SAML:2.0:ac:classes:Smartcard': ['sc'],
  'urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI': ['sc'],
  'urn:oasis:names:tc:SAML:2.0:ac:classes:TimeSyncToken': ['otp'],
  'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract': ['mfa'],
  'https://refeds.org/profile/mfa': ['mfa'],
  'http://schemas.microsoft.com/claims/multipleauthn': ['mfa'],
}

/** How and when the person signed in there, in the claims of an ID token; and the id of the session. */
export function samlAuthentication(assertion: SamlElement): JsonObject {
  const statement = onlyChild(assertion, 'AuthnStatement')
  const context = textIn(onlyChild(onlyChild(statement, 'AuthnContext'), 'AuthnContextClassRef'))
  const at = instantOf(attribute(statement, 'AuthnInstant')) ?? 0
  const sid = attribute(statement, 'SessionIndex')
  return {
    amr: [...(Object.hasOwn(contextMethods, context) ? (contextMethods[context] ?? []) : [])],
    auth_time: Math.floor(at / 1000),
    ...(sid === undefined ? {} : { sid }),
  }
}
