/** Converts the identity providers of a Keycloak export to declarations. */
import { type ProviderKind, providerPresets } from '@grantor/protocol/providers'
import type { JsonObject } from '@grantor/protocol/types'
import { isRecord, type LeftOut, providerId, text } from './source.ts'

type Row = Readonly<Record<string, unknown>>
/** Reads the members specific to one kind of provider; a string says why the provider cannot be imported. */
type Read = (config: Row) => JsonObject | string

/** The path with which the authorization endpoints of Keycloak's own realms end. */
const keycloakEnd = '/protocol/openid-connect/auth'

const oidc: Read = (config) => {
  const [named, at] = [text(config['issuer']), text(config['authorizationUrl']) ?? '']
  const issuer = named ?? (at.endsWith(keycloakEnd) ? at.slice(0, -keycloakEnd.length) : null)
  const method = text(config['clientAuthMethod']) ?? 'client_secret_post'
  if (issuer === null) return 'its issuer is not in the export: declare it with one'
  if (!method.startsWith('client_secret_')) return 'we would prove ourselves by another way than a secret'
  const scopes = (text(config['defaultScope']) ?? '').split(/\s+/).filter((scope) => scope !== '')
  return { issuer, ...(scopes.includes('openid') ? { scopes } : {}) }
}

const saml: Read = (config) => {
  const [issuer, at, entity] = [
    text(config['idpEntityId']),
    text(config['singleSignOnServiceUrl']),
    text(config['entityId']),
  ]
  const keys = (text(config['signingCertificate']) ?? '').split(',').filter((key) => key.trim() !== '')
  if (issuer === null) return 'the entity id of the provider is not in the export: declare it as issuer'
  if (entity === null) return 'our own entity id was the address of the realm: declare it with one as client_id'
  if (at === null || keys.length === 0 || config['validateSignature'] === 'false')
    return 'it has no certificate whose signature counts: declare it with one'
  const principal = config['principalType'] === undefined || config['principalType'] === 'SUBJECT'
  const attribute = principal ? null : text(config['principalAttribute'])
  if (attribute === null && String(config['nameIDPolicyFormat']).endsWith(':transient'))
    return 'it names people anew at every sign-in: declare it with a subject_attribute'
  return {
    issuer,
    client_id: entity,
    sso_url: at,
    certificates: keys.map(pem).join(''),
    ...(attribute === null ? {} : { subject_attribute: attribute }),
  }
}

const pem = (base64: string): string => {
  const lines = base64.replace(/\s|-----[A-Z ]+-----/g, '').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

const serverOfTheirOwn: Read = ({ baseUrl }) => (text(baseUrl) === null ? {} : { issuer: text(baseUrl) })

/** Kinds of provider by their name in Keycloak. */
const kinds: Readonly<Record<string, { readonly kind: ProviderKind; readonly read: Read }>> = {
  oidc: { kind: 'oidc', read: oidc },
  'keycloak-oidc': { kind: 'oidc', read: oidc },
  google: { kind: 'google', read: () => ({}) },
  github: { kind: 'github', read: serverOfTheirOwn },
  gitlab: { kind: 'gitlab', read: () => ({}) },
  microsoft: {
    kind: 'microsoft',
    read: ({ tenantId }) =>
      text(tenantId) === null ? {} : { issuer: `https://login.microsoftonline.com/${text(tenantId)}/v2.0` },
  },
  saml: { kind: 'saml', read: saml },
}

export function readKeycloakProviders(rows: readonly Row[]): {
  readonly providers: readonly JsonObject[]
  readonly leftOut: readonly LeftOut[]
} {
  const providers: JsonObject[] = []
  const leftOut: LeftOut[] = []
  for (const row of rows) {
    const alias = text(row['alias']) ?? ''
    const provider = providerOf(row, alias)
    if (typeof provider === 'string') leftOut.push({ what: `identity provider ${alias}`, why: provider })
    else providers.push(provider)
  }
  return { providers, leftOut }
}

function providerOf(row: Row, alias: string): JsonObject | string {
  const called = text(row['providerId']) ?? ''
  const known = Object.hasOwn(kinds, called) ? kinds[called] : undefined
  const id = providerId(alias)
  if (known === undefined || id === null) return `there is no provider of the kind ${called} here`
  const config = isRecord(row['config']) ? row['config'] : {}
  const own = known.read(config)
  if (typeof own === 'string') return own
  const secret = text(config['clientSecret'])
  if (known.kind !== 'saml' && (secret === null || /^\*+$/.test(secret))) return 'its secret is not in the export'
  return {
    id,
    kind: known.kind,
    // A preset has its own display name.
    name: text(row['displayName']) ?? providerPresets[known.kind].name ?? alias,
    ...(known.kind === 'saml' ? {} : { client_id: text(config['clientId']), client_secret: secret }),
    ...own,
    // The first sign-in creates an account, unless the provider only links. An e-mail address never links accounts
    // here,
    // even if Keycloak trusted it.
    create: row['linkOnly'] !== true,
    disabled: row['enabled'] === false,
  }
}
