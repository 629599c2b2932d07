/** A provider as its form has it, and as the API does. */
import type { Schemas } from '../../api/client.ts'

export type Provider = Schemas['Providers']

export interface EditableProvider {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly secret: string
  readonly teamId: string
  readonly keyId: string
  readonly hosts: readonly string[]
  readonly ca: string
  readonly baseDn: string
  readonly filter: string
  readonly ssoUrl: string
  readonly certificates: string
  readonly signingAlg: string
  readonly signalsUrl: string
  readonly signalsScope: string
  readonly signalsAuthorization: string
  readonly domains: readonly string[]
  readonly create: boolean
  readonly trustEmail: boolean
  readonly trustAmr: boolean
  readonly disabled: boolean
}

type FieldName = keyof EditableProvider

/** By their names in the API, which faults are told with. */
const apiNames: Readonly<Record<FieldName, string>> = {
  name: 'name',
  issuer: 'issuer',
  clientId: 'client_id',
  secret: 'client_secret',
  teamId: 'team_id',
  keyId: 'key_id',
  hosts: 'hosts',
  ca: 'ca',
  baseDn: 'base_dn',
  filter: 'filter',
  ssoUrl: 'sso_url',
  certificates: 'certificates',
  signingAlg: 'id_token_signed_response_alg',
  signalsUrl: 'signals_url',
  signalsScope: 'signals_scope',
  signalsAuthorization: 'signals_authorization',
  domains: 'domains',
  create: 'create',
  trustEmail: 'trust_email',
  trustAmr: 'trust_amr',
  disabled: 'disabled',
}

/** Never shown again, and kept nowhere. */
export const providerSecrets = ['secret', 'signalsAuthorization'] as const satisfies readonly FieldName[]

const ofSignals = ['signalsUrl', 'signalsScope', 'signalsAuthorization'] as const
const ofOpenId: readonly FieldName[] = ['issuer', 'secret', 'signingAlg', 'trustAmr', ...ofSignals]
const ofDirectory: readonly FieldName[] = ['baseDn', 'secret', 'hosts', 'ca', 'filter']
const ofEvery: readonly FieldName[] = ['name', 'clientId', 'domains', 'create', 'trustEmail', 'disabled']

const ofKind: Partial<Record<Provider['kind'], readonly FieldName[]>> = {
  apple: [...ofOpenId, 'teamId', 'keyId'],
  github: ['issuer', 'secret', 'trustAmr'],
  saml: ['issuer', 'ssoUrl', 'certificates', 'trustAmr'],
  ldap: ofDirectory,
  active_directory: ofDirectory,
}

/** What is asked about a provider of this kind. */
export const fieldsOfKind = (kind: Provider['kind']): ReadonlySet<FieldName> =>
  new Set([...ofEvery, ...(ofKind[kind] ?? ofOpenId)])

/** The fields of its form that can show a fault. */
export const faultNames = (kind: Provider['kind']): readonly string[] =>
  [...fieldsOfKind(kind)].map((field) => apiNames[field])

export const newProvider: EditableProvider = {
  name: '',
  issuer: '',
  clientId: '',
  secret: '',
  teamId: '',
  keyId: '',
  hosts: [],
  ca: '',
  baseDn: '',
  filter: '',
  ssoUrl: '',
  certificates: '',
  signingAlg: '',
  signalsUrl: '',
  signalsScope: '',
  signalsAuthorization: '',
  domains: [],
  create: false,
  trustEmail: false,
  trustAmr: false,
  disabled: false,
}

export const editableProvider = (it: Provider): EditableProvider => ({
  name: it.name ?? '',
  issuer: it.issuer ?? '',
  clientId: it.client_id,
  secret: '',
  teamId: it.team_id ?? '',
  keyId: it.key_id ?? '',
  hosts: it.hosts ?? [],
  ca: it.ca ?? '',
  baseDn: it.base_dn ?? '',
  filter: it.filter ?? '',
  ssoUrl: it.sso_url ?? '',
  certificates: it.certificates ?? '',
  signingAlg: it.id_token_signed_response_alg ?? '',
  signalsUrl: it.signals_url ?? '',
  signalsScope: it.signals_scope ?? '',
  signalsAuthorization: '',
  domains: it.domains ?? [],
  create: it.create ?? false,
  trustEmail: it.trust_email ?? false,
  trustAmr: it.trust_amr ?? false,
  disabled: it.disabled ?? false,
})

/** What is left empty is taken away; a secret that is left empty stays. What is not asked of the kind is not sent. */
export function providerBody(kind: Provider['kind'], it: Partial<EditableProvider>): object {
  const asked = fieldsOfKind(kind)
  const sent = (Object.keys(it) as FieldName[]).filter(
    (field) => asked.has(field) && !(isSecret(field) && it[field] === ''),
  )
  return Object.fromEntries(sent.map((field) => [apiNames[field], isSecret(field) ? it[field] : trimmed(it[field])]))
}

const isSecret = (field: FieldName): boolean => (providerSecrets as readonly FieldName[]).includes(field)

/** Null: nothing of it is left. */
function trimmed(value: EditableProvider[FieldName] | undefined): unknown {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim()
  if (typeof value !== 'object') return value
  const lines = value.map((line) => line.trim()).filter((line) => line !== '')
  return lines.length === 0 ? null : lines
}

/** Names of their own, the same in every language. */
export const namedKinds: readonly { readonly value: Provider['kind']; readonly label: string }[] = [
  { value: 'google', label: 'Google' },
  { value: 'microsoft', label: 'Microsoft Entra' },
  { value: 'apple', label: 'Apple' },
  { value: 'gitlab', label: 'GitLab' },
  { value: 'github', label: 'GitHub' },
  { value: 'active_directory', label: 'Active Directory' },
]

const protocols: Readonly<Record<string, string>> = { oidc: 'OpenID Connect', saml: 'SAML 2.0', ldap: 'LDAP' }

export const kindName = (kind: Provider['kind']): string =>
  protocols[kind] ?? namedKinds.find(({ value }) => value === kind)?.label ?? kind
