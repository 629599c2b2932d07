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
  readonly signalsUrl: string
  readonly signalsScope: string
  readonly signalsAuthorization: string
  readonly domains: readonly string[]
  readonly create: boolean
  readonly trustEmail: boolean
  readonly trustAmr: boolean
  readonly disabled: boolean
}

/** By their names in the API, which faults are told with. */
export const providerFieldNames = [
  'name',
  'issuer',
  'client_id',
  'client_secret',
  'team_id',
  'key_id',
  'hosts',
  'ca',
  'base_dn',
  'filter',
  'sso_url',
  'certificates',
  'signals_url',
  'signals_scope',
  'signals_authorization',
  'domains',
  'create',
  'trust_email',
  'trust_amr',
  'disabled',
] as const

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
  signalsUrl: it.signals_url ?? '',
  signalsScope: it.signals_scope ?? '',
  signalsAuthorization: '',
  domains: it.domains ?? [],
  create: it.create ?? false,
  trustEmail: it.trust_email ?? false,
  trustAmr: it.trust_amr ?? false,
  disabled: it.disabled ?? false,
})

/** What is left empty is taken away; a secret that is left empty stays. */
export function providerBody(it: Partial<EditableProvider>): object {
  const text = (name: string, value: string | undefined) =>
    value === undefined ? {} : { [name]: value.trim() === '' ? null : value.trim() }
  const kept = (name: string, value: string | undefined) =>
    value === undefined || value === '' ? {} : { [name]: value }
  const flag = (name: string, value: boolean | undefined) => (value === undefined ? {} : { [name]: value })
  const list = (name: string, value: readonly string[] | undefined) => {
    const lines = value?.map((line) => line.trim()).filter((line) => line !== '')
    return lines === undefined ? {} : { [name]: lines.length === 0 ? null : lines }
  }
  return {
    ...text('name', it.name),
    ...text('issuer', it.issuer),
    ...text('client_id', it.clientId),
    ...kept('client_secret', it.secret),
    ...text('team_id', it.teamId),
    ...text('key_id', it.keyId),
    ...list('hosts', it.hosts),
    ...text('ca', it.ca),
    ...text('base_dn', it.baseDn),
    ...text('filter', it.filter),
    ...text('sso_url', it.ssoUrl),
    ...text('certificates', it.certificates),
    ...text('signals_url', it.signalsUrl),
    ...text('signals_scope', it.signalsScope),
    ...kept('signals_authorization', it.signalsAuthorization),
    ...list('domains', it.domains),
    ...flag('create', it.create),
    ...flag('trust_email', it.trustEmail),
    ...flag('trust_amr', it.trustAmr),
    ...flag('disabled', it.disabled),
  }
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
