/** The kinds of identity providers: one row for each well-known one, and a generic one for all other issuers. */

/**
 * The protocol of a provider: OIDC by its discovery document, GitHub's OAuth and API, SAML, or LDAP for a directory
 * that checks passwords.
 */
export type ProviderProtocol = 'oidc' | 'github' | 'saml' | 'ldap'

export interface ProviderPreset {
  readonly protocol: ProviderProtocol
  /** Null where every operator has their own. */
  readonly issuer: string | null
  /** The default text of the button; null where the declaration must have one. */
  readonly name: string | null
  readonly scopes: readonly string[]
  /** Our claim ← its claim. */
  readonly claims: Readonly<Record<string, string>>
  /** Whether a secret is required. */
  readonly needsSecret: boolean
  /** RFC 7636; off where the provider does not support it. */
  readonly pkce: boolean
  /** OAuth 2.0 Form Post Response Mode, where the provider requires it for scopes. */
  readonly formPost: boolean
  /** Whether it asks people to authenticate again on request (`prompt=login`). */
  readonly asksAgain: boolean
  /** Whether its `email_verified` can be trusted at all: not where addresses can be assigned without verification. */
  readonly verifiesEmail: boolean
}

const standardClaims = {
  username: 'preferred_username',
  name: 'name',
  given_name: 'given_name',
  family_name: 'family_name',
  email: 'email',
  email_verified: 'email_verified',
  locale: 'locale',
}

/** Attributes of RFC 4519 and RFC 2798. */
const ldap = {
  protocol: 'ldap',
  issuer: null,
  name: null,
  scopes: [],
  claims: {
    username: 'uid',
    name: 'cn',
    given_name: 'givenName',
    family_name: 'sn',
    email: 'mail',
    locale: 'preferredLanguage',
  },
  needsSecret: true,
  pkce: false,
  formPost: false,
  asksAgain: true,
  verifiesEmail: true,
} as const satisfies ProviderPreset

const plain: ProviderPreset = {
  protocol: 'oidc',
  issuer: null,
  name: null,
  scopes: ['openid', 'profile', 'email'],
  claims: standardClaims,
  needsSecret: false,
  pkce: true,
  formPost: false,
  asksAgain: true,
  verifiesEmail: true,
}

export const providerPresets = {
  oidc: plain,
  google: { ...plain, issuer: 'https://accounts.google.com', name: 'Google', needsSecret: true, asksAgain: false },
  /** The issuer of `common` and `organizations` is a template: each directory signs with its own issuer. */
  microsoft: {
    ...plain,
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    name: 'Microsoft',
    needsSecret: true,
    // An Entra administrator may assign any address to an account.
    verifiesEmail: false,
  },
  apple: {
    ...plain,
    issuer: 'https://appleid.apple.com',
    name: 'Apple',
    scopes: ['openid', 'name', 'email'],
    needsSecret: true,
    pkce: false,
    formPost: true,
    asksAgain: false,
  },
  gitlab: {
    ...plain,
    issuer: 'https://gitlab.com',
    name: 'GitLab',
    claims: { ...standardClaims, username: 'nickname' },
    needsSecret: true,
  },
  github: {
    ...plain,
    protocol: 'github',
    issuer: 'https://github.com',
    name: 'GitHub',
    scopes: ['read:user', 'user:email'],
    claims: { username: 'login', name: 'name', email: 'email', email_verified: 'email_verified' },
    needsSecret: true,
    asksAgain: false,
  },
  saml: {
    ...ldap,
    protocol: 'saml',
    claims: { ...ldap.claims, name: 'displayName' },
    needsSecret: false,
  },
  ldap,
  active_directory: { ...ldap, claims: { ...ldap.claims, username: 'sAMAccountName', name: 'displayName' } },
} as const satisfies Readonly<Record<string, ProviderPreset>>

export type ProviderKind = keyof typeof providerPresets
export const providerKinds = Object.keys(providerPresets) as readonly ProviderKind[]

/** Whether people are redirected to it; a directory is asked by this server, with the password that they type here. */
export const isVisited = ({ kind }: { readonly kind: ProviderKind }): boolean =>
  providerPresets[kind].protocol !== 'ldap'

export const presetOf = ({ kind }: { readonly kind: ProviderKind }): ProviderPreset => providerPresets[kind]
