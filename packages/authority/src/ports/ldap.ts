/** How a directory is asked whether a password is somebody's (LDAP): found by our own account there, then bound as. */

/** Everything for one question. */
export interface LdapQuestion {
  /** As declared: `ldaps://…`, or `ldap://…` which is made TLS. Tried in their order. */
  readonly hosts: readonly string[]
  /** PEM; null: the authorities that everything else outside is checked by. */
  readonly ca: string | null
  /** Who looks people up. */
  readonly bindDn: string
  readonly bindPassword: string
  readonly base: string
  /** RFC 4515, whole. */
  readonly filter: string
  readonly attributes: readonly string[]
  /** Of the person; never empty (RFC 4513 §5.1.2). */
  readonly password: string
}

export interface LdapEntry {
  readonly dn: string
  /** By their names in lower case. What is no text is written in hexadecimal digits. */
  readonly attributes: ReadonlyMap<string, readonly string[]>
}

export type LdapAnswer =
  /** The password is theirs. */
  | { readonly did: 'bound'; readonly entry: LdapEntry }
  /** There is one entry, and it may not be bound as with this password. */
  | { readonly did: 'refused'; readonly entry: LdapEntry; readonly problem: string }
  /** Nobody, or more than one. */
  | { readonly did: 'absent'; readonly problem: string }
  /** No server could say; `problem` is for the operator's log. */
  | { readonly did: 'unavailable'; readonly problem: string }

export interface Ldap {
  authenticate(question: LdapQuestion): Promise<LdapAnswer>
}

/** Where no directory can be asked. */
export const noLdap: Ldap = { authenticate: () => Promise.resolve({ did: 'unavailable', problem: 'ldap_off' }) }
