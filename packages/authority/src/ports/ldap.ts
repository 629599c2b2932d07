/**
 * Asks a directory whether a password is a person's (LDAP): finds the entry by a service account, then binds as that
 * entry.
 */

/** Everything needed to authenticate one person. */
export interface LdapQuestion {
  /** As declared: `ldaps://…`, or `ldap://…` upgraded by StartTLS. Tried in this order. */
  readonly hosts: readonly string[]
  /** PEM; null: the authorities used for all other outbound connections. */
  readonly ca: string | null
  /** The service account that searches. */
  readonly bindDn: string
  readonly bindPassword: string
  readonly base: string
  /** A complete filter of RFC 4515. */
  readonly filter: string
  readonly attributes: readonly string[]
  /** The person's password; never empty (RFC 4513 §5.1.2). */
  readonly password: string
}

export interface LdapEntry {
  readonly dn: string
  /** By attribute name in lower case. A value that is not text is in hexadecimal digits. */
  readonly attributes: ReadonlyMap<string, readonly string[]>
}

export type LdapAnswer =
  /** The password is right. */
  | { readonly did: 'bound'; readonly entry: LdapEntry }
  /** One entry was found, but binding as it with this password failed. */
  | { readonly did: 'refused'; readonly entry: LdapEntry; readonly problem: string }
  /** No entry was found, or more than one. */
  | { readonly did: 'absent'; readonly problem: string }
  /** No server answered; `problem` is for the operator's log. */
  | { readonly did: 'unavailable'; readonly problem: string }

export interface Ldap {
  authenticate(question: LdapQuestion): Promise<LdapAnswer>
}

/** For deployments without directories. */
export const noLdap: Ldap = { authenticate: () => Promise.resolve({ did: 'unavailable', problem: 'ldap_off' }) }
