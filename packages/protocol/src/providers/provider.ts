/**
 * The declaration of another identity provider by which people of a tenant sign in, validated with a problem for each
 * field.
 */
import type { Served } from '../documents/capabilities.ts'
import { knownAlgorithms } from '../jose/verification-key.ts'
import { personClaims } from '../oidc/claims.ts'
import { emailKey, isMailAddress } from '../people/mail-address.ts'
import {
  displayName,
  type FieldProblem,
  type FieldType,
  flag,
  httpsOnly,
  listOf,
  oneOf,
  outboundUrl,
  pageUrl,
  scopeNames,
  text,
} from '../registration/field-types.ts'
import { err, ok, type Result } from '../result.ts'
import { isJsonObject, type JsonObject } from '../types.ts'
import { certificates, ldapAttribute, ldapFilter, ldapGroups, ldapHost, ldapIssuer } from './ldap.ts'
import { presetOf, type ProviderKind, providerKinds } from './presets.ts'

/** With the names of the file, in which it is also stored; presets fill in defaults when it is read. */
export interface Provider {
  /** Part of its return address. */
  readonly id: string
  readonly kind: ProviderKind
  readonly name: string
  readonly issuer: string
  readonly client_id: string
  readonly scopes?: readonly string[]
  /** A person who types an address of these domains is sent there. */
  readonly domains?: readonly string[]
  /** Our claim ← its claim, in addition to the preset. */
  readonly claims?: Readonly<Record<string, string>>
  /** Whether an account is created for people who have none. */
  readonly create?: boolean
  /** Whether an address that it calls verified is trusted: then it links accounts, and counts as verified here. */
  readonly trust_email?: boolean
  /** Whether its statements on how people signed in (`amr`, `acr`) are trusted. */
  readonly trust_amr?: boolean
  readonly disabled?: boolean
  /**
   * The algorithm of its ID tokens and logout tokens for us, as registered there; without it, those that its document
   * lists.
   */
  readonly id_token_signed_response_alg?: string
  /** Where it is asked for security events (RFC 8936 §2.4); else it pushes them. */
  readonly signals_url?: string
  /** The scope of the token for polling, requested with our credentials, if no `Authorization` header is stored. */
  readonly signals_scope?: string
  /** For Apple: the team and the key that sign the assertion used as secret. */
  readonly team_id?: string
  readonly key_id?: string
  /** For a directory: its servers, in the order of attempts, and the authorities for their certificates. */
  readonly hosts?: readonly string[]
  readonly ca?: string
  /** The search base, the filter, and the attribute that identifies a person. */
  readonly base_dn?: string
  readonly filter?: string
  readonly subject_attribute?: string
  /** The provider's group ← our group. */
  readonly groups?: Readonly<Record<string, string>>
  /** For SAML: the address to which people are sent, and the signing certificates. */
  readonly sso_url?: string
  readonly certificates?: string
}

/** A provider as a tenant stores it: its secrets sealed by the vault, in base64url. */
export interface StoredProvider extends Provider {
  readonly sealed_secret?: string
  /** The `Authorization` header for polling security events, sealed. */
  readonly sealed_signals_authorization?: string
}

export const mostProviders = 50
const mostDomains = 100
/** Apple's private keys are the longest secrets. */
export const longestProviderSecret = 4096

const idShape = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

const providerId: FieldType<string> = {
  check: (value) =>
    typeof value === 'string' && idShape.test(value) ? null : 'must be 1 to 40 of a-z, 0-9 and inner hyphens',
  schema: { type: 'string', pattern: idShape.source, maxLength: 40 },
}

/** RFC 8414 §2: https, without query and fragment. */
const issuer: FieldType<string> = {
  check: (value, served) =>
    outboundUrl('web').check(value, served) ??
    (/[?#]/.test(value as string) ? 'must not hold a query or a fragment' : null),
  schema: text().schema,
}

const domain: FieldType<string> = {
  check: (value) =>
    typeof value === 'string' && value === emailKey(value) && isMailAddress(`a@${value}`)
      ? null
      : 'must be a domain in lower case',
  schema: { type: 'string', minLength: 3, maxLength: 253 },
}

const claimNames: FieldType<Readonly<Record<string, string>>> = {
  check(value) {
    if (!isJsonObject(value)) return 'must be an object of names of claims'
    const unknown = Object.keys(value).find((name) => name !== 'username' && !personClaims.has(name))
    if (unknown !== undefined) return `must hold username and claims of a person only`
    const isName = (it: unknown): boolean => typeof it === 'string' && it !== '' && it.length <= 200
    return Object.values(value).every(isName) ? null : 'must name a claim of the provider for each'
  },
  schema: { type: 'object', additionalProperties: { type: 'string', minLength: 1, maxLength: 200 } },
}

const scopeToken: FieldType<string> = {
  check: (value) =>
    typeof value === 'string' && /^[!#-[\]-~]{1,200}$/.test(value) ? null : 'must be a scope (RFC 6749)',
  schema: text(200).schema,
}

/** The one list of a provider's settings; the schema of the admin API is derived from it. */
export const providerFields = {
  id: providerId,
  kind: oneOf(providerKinds),
  name: displayName,
  issuer,
  client_id: text(512),
  scopes: listOf(scopeToken, 30),
  domains: listOf(domain, mostDomains),
  claims: claimNames,
  create: flag,
  trust_email: flag,
  trust_amr: flag,
  disabled: flag,
  id_token_signed_response_alg: oneOf(knownAlgorithms),
  signals_url: outboundUrl('web'),
  signals_scope: scopeNames,
  team_id: text(40),
  key_id: text(40),
  hosts: listOf(ldapHost, 10),
  ca: certificates,
  base_dn: text(512),
  filter: ldapFilter,
  subject_attribute: ldapAttribute,
  groups: ldapGroups,
  sso_url: httpsOnly(pageUrl('SAMLRequest', 'RelayState')),
  certificates,
} as const satisfies { readonly [K in keyof Required<Provider>]: FieldType<unknown> }

const needed = ['id', 'kind', 'client_id']

/** Validates a provider, without its secret, and reports a problem for every unknown or invalid member. */
export function readProvider(item: JsonObject, served: Served): Result<Provider, readonly FieldProblem[]> {
  const given = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))
  // The issuer of a directory follows from its search base.
  if (isLdap(given['kind'])) delete given['issuer']
  const missing = needed.filter((field) => given[field] === undefined)
  const problems: FieldProblem[] = missing.map((field) => ({ field, problem: 'is needed' }))
  for (const [field, value] of Object.entries(given)) {
    const type = Object.hasOwn(providerFields, field) ? typeOf(field as keyof Provider, given['kind']) : null
    const problem =
      type === null
        ? `is not known here; known are ${Object.keys(providerFields).join(', ')}`
        : type.check(value, served)
    if (problem !== null) problems.push({ field, problem })
  }
  if (problems.length > 0) return err(problems)
  const preset = presetOf(given as unknown as Provider)
  const { name = preset.name, issuer: at = preset.issuer ?? directoryIssuer(given) } = given as Partial<Provider>
  const whole = { ...given, name, issuer: at } as unknown as Provider
  const unfit = coherenceProblems(whole)
  return unfit.length > 0 ? err(unfit) : ok(whole)
}

/** In SAML an entity id is any URI, and an attribute name any text (SAML Core §8.3.6, §2.7.3.1). */
function typeOf(field: keyof Provider, kind: unknown): FieldType<unknown> {
  const isFree = kind === 'saml' && (field === 'issuer' || field === 'subject_attribute')
  return isFree ? text(1024) : providerFields[field]
}

const isLdap = (kind: unknown): boolean => kind === 'ldap' || kind === 'active_directory'

const directoryIssuer = ({ kind, base_dn: base = '' }: JsonObject): string | null =>
  isLdap(kind) ? ldapIssuer(base as string) : null

/** Settings of certain kinds only; those in `needed` are required there. */
const ownFields: readonly {
  readonly kinds: readonly ProviderKind[]
  readonly needed: readonly (keyof Provider)[]
  readonly others: readonly (keyof Provider)[]
}[] = [
  { kinds: ['apple'], needed: ['team_id', 'key_id'], others: [] },
  {
    kinds: ['ldap', 'active_directory'],
    needed: ['hosts', 'base_dn'],
    others: ['ca', 'filter', 'groups'],
  },
  { kinds: ['ldap', 'active_directory', 'saml'], needed: [], others: ['subject_attribute'] },
  { kinds: ['saml'], needed: ['sso_url', 'certificates'], others: [] },
]

function coherenceProblems(provider: Provider): readonly FieldProblem[] {
  const problems: FieldProblem[] = []
  const preset = presetOf(provider)
  const report = (field: string, problem: string) => problems.push({ field, problem })
  for (const field of ['name', 'issuer'] as const) if (provider[field] === null) report(field, 'is needed')
  if (provider.trust_email === true && !preset.verifiesEmail)
    report('trust_email', 'must not be true: this kind of provider does not check the addresses of its accounts')
  if (preset.protocol === 'oidc' && provider.scopes?.includes('openid') === false) report('scopes', 'must hold openid')
  for (const field of ['id_token_signed_response_alg', 'signals_url'] as const)
    if (preset.protocol !== 'oidc' && provider[field] !== undefined)
      report(field, 'is of providers of OpenID Connect alone')
  if (provider.signals_scope !== undefined && provider.signals_url === undefined)
    report('signals_scope', 'means nothing without signals_url')
  for (const { kinds, needed: wanted, others } of ownFields) {
    const isOwn = kinds.includes(provider.kind)
    for (const field of isOwn ? wanted : []) if (isEmpty(provider[field])) report(field, 'is needed')
    for (const field of isOwn ? [] : [...wanted, ...others])
      if (provider[field] !== undefined) report(field, `is of the kind ${kinds.join(' or ')} alone`)
  }
  if (preset.scopes.length === 0 && provider.scopes !== undefined) report('scopes', 'means nothing to this kind')
  if (preset.protocol === 'ldap' && provider.trust_amr === true)
    report('trust_amr', 'must not be true: a directory says nothing of how people signed in')
  return problems
}

const isEmpty = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0)

export const isServed = ({ disabled }: Pick<Provider, 'disabled'>): boolean => disabled !== true

/** Whether the provider is polled for security events, besides pushing them. */
export const isPolled = (provider: Pick<Provider, 'disabled' | 'signals_url'>): boolean =>
  isServed(provider) && provider.signals_url !== undefined

export const scopesOf = (provider: Provider): readonly string[] => provider.scopes ?? presetOf(provider).scopes

/** The provider responsible for the domain of this address; null where there is none. */
export function providerOfAddress<P extends Provider>(typed: string, providers: readonly P[]): P | null {
  const address = typed.trim()
  if (!isMailAddress(address)) return null
  const of = emailKey(address).split('@')[1] ?? ''
  return providers.find((it) => isServed(it) && it.domains?.includes(of) === true) ?? null
}
