/** The settings of a directory that checks passwords (LDAP): hosts, filter, attributes. */
import { X509Certificate } from 'node:crypto'
import { type AllowList } from '../uri/outbound-address.ts'
import { hostKind } from '../uri/public-host.ts'
import { type FieldType, text } from '../registration/field-types.ts'
import { isJsonObject } from '../types.ts'
import type { ProviderKind } from './presets.ts'

/**
 * One server of a directory. `ldap` starts in plain text and is upgraded to TLS before anything else is sent (RFC 4511
 * §4.14).
 */
export interface LdapHost {
  readonly scheme: 'ldap' | 'ldaps'
  /** A name in lower case, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Whether the operator allowed it by name: its addresses may be private. */
  readonly allowed: boolean
}

const hostShape = /^(?<scheme>ldaps?):\/\/(?<name>\[[0-9a-f:.]+\]|[^/?#@\\\s:[\]]+)(?::(?<port>\d{1,5}))?\/?$/i
const usualPorts = { ldap: 389, ldaps: 636 } as const
/** LDAP, LDAP over TLS, and the global catalogues of Active Directory. */
const ldapPorts: ReadonlySet<number> = new Set([389, 636, 3268, 3269])

/** Null for an invalid address of a directory. */
export function parseLdapHost(address: string, allow: AllowList): LdapHost | null {
  const groups = hostShape.exec(address)?.groups
  const url = `https://${groups?.['name'] ?? ''}`
  if (groups === undefined || !URL.canParse(url)) return null
  const { hostname } = new URL(url)
  const scheme = groups['scheme']?.toLowerCase() === 'ldap' ? 'ldap' : 'ldaps'
  const port = groups['port'] === undefined ? usualPorts[scheme] : Number(groups['port'])
  if (port < 1 || port > 65_535) return null
  const allowed = allow.has(hostname) || allow.has(`${hostname}:${port}`)
  return { scheme, host: hostname.replace(/^\[|\]$/g, ''), port, allowed }
}

/** The same rule as for all outbound connections: public, or allowed by the operator. */
export const ldapHost: FieldType<string> = {
  check(value, { addresses }) {
    const read = typeof value === 'string' ? parseLdapHost(value, addresses.outboundAllow) : null
    if (read === null) return 'must be ldaps://host or ldap://host (StartTLS), with a port or without'
    if (read.allowed) return null
    if (hostKind(read.host) === 'private') return 'must not name a private host (outbound.allow lists exceptions)'
    return ldapPorts.has(read.port) ? null : 'must use a port of LDAP (outbound.allow lists exceptions)'
  },
  schema: text(300).schema,
}

/** The placeholder for the typed name in a filter. */
const placeholder = '{username}'

/** RFC 4515, checked as far as possible without a directory: complete, balanced, and with the typed name. */
export const ldapFilter: FieldType<string> = {
  check(value) {
    const problem = text(1000).check(value, undefined as never)
    if (problem !== null) return problem
    const filter = value as string
    if (!filter.includes(`=${placeholder}`)) return `must compare something with ${placeholder}`
    return isBalanced(filter) ? null : 'must be one filter in parentheses (RFC 4515)'
  },
  schema: text(1000).schema,
}

function isBalanced(filter: string): boolean {
  let depth = 0
  for (const [at, letter] of filter.split('').entries()) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (depth < 0 || (depth === 0 && at < filter.length - 1)) return false
  }
  return depth === 0
}

/** RFC 4512 §1.4: a name, or numbers. */
const attributeName = /^(?:[A-Za-z][A-Za-z0-9-]{0,99}|\d+(?:\.\d+)+)$/

export const ldapAttribute: FieldType<string> = {
  check: (value) =>
    typeof value === 'string' && attributeName.test(value) ? null : 'must be the name of an attribute (RFC 4512)',
  schema: text(100).schema,
}

const mostGroups = 200

/** The directory's group ← our group. */
export const ldapGroups: FieldType<Readonly<Record<string, string>>> = {
  check(value) {
    if (!isJsonObject(value)) return 'must be an object of names of groups'
    const entries = Object.entries(value)
    if (entries.length > mostGroups) return `must not hold more than ${mostGroups} entries`
    const fits = (it: unknown): boolean => text(512).check(it, undefined as never) === null
    return entries.every(([dn, name]) => fits(dn) && fits(name)) ? null : 'must name a group of ours for each of theirs'
  },
  schema: {
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1, maxLength: 512 },
    maxProperties: mostGroups,
  },
}

export const longestPem = 65_536
const certificateShape = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates in a text, one by one. */
export const certificatesIn = (pem: string): readonly string[] => pem.match(certificateShape) ?? []

export const certificates: FieldType<string> = {
  check(value) {
    if (typeof value !== 'string' || value.length > longestPem) return `must be a text of at most ${longestPem}`
    const found = certificatesIn(value)
    return found.length > 0 && found.every(isCertificate) ? null : 'must be certificates in PEM'
  },
  schema: { type: 'string', minLength: 1, maxLength: longestPem },
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/** RFC 4515 §3: escapes the typed name, so that it is a value and never a part of the filter. */
export const escapeFilterValue = (value: string): string =>
  value.replace(/[\\*()\p{Cc}]/gu, (letter) =>
    [...Buffer.from(letter)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join(''),
  )

/** The default search of a directory; a disabled account of Active Directory is not found. */
const usualSearch = {
  ldap: { filter: `(|(uid=${placeholder})(mail=${placeholder}))`, subject: 'entryUUID' },
  active_directory: {
    filter:
      `(&(objectCategory=person)(objectClass=user)(|(sAMAccountName=${placeholder})(userPrincipalName=${placeholder}))` +
      '(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
    subject: 'objectGUID',
  },
} as const

interface LdapSearch {
  readonly kind: ProviderKind
  readonly filter?: string
  readonly subject_attribute?: string
}

const usual = ({ kind }: LdapSearch) => (kind === 'active_directory' ? usualSearch.active_directory : usualSearch.ldap)

export const ldapFilterFor = (provider: LdapSearch, username: string): string =>
  (provider.filter ?? usual(provider).filter).replaceAll(placeholder, () => escapeFilterValue(username))

/** The attribute that is never reused for another person: RFC 4530, or Active Directory's own. */
export const ldapSubjectAttribute = (provider: LdapSearch): string =>
  provider.subject_attribute ?? usual(provider).subject

/** The identity of a directory: its domain components (RFC 2247), whatever part of it is searched. */
export function ldapIssuer(base: string): string {
  const domain = /(?:^|,)\s*(dc=[^,]+(?:,\s*dc=[^,]+)*)$/i.exec(base)?.[1]
  return `ldap:${(domain ?? base).replaceAll(/\s*,\s*/g, ',').toLowerCase()}`
}
