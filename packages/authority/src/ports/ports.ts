/** What the authority needs of its environment. Only compose.ts knows the implementations. */
import type { Policy } from '@grantor/protocol/oauth'
import type { Store } from '@grantor/store'
import type { Limits } from '../limits/limits.ts'
import type { PasswordPolicy } from '../people/password.ts'
import type { SignUpHook } from '../sign-up/ask-hook.ts'
import type { ClientAuthorities, Clock, Ids, Issuers } from './environment.ts'
import type { Ldap } from './ldap.ts'
import type { Limiter } from './limiter.ts'
import type { Mail } from './mail.ts'
import type { Outbound } from './outbound.ts'
import type { People } from './people.ts'
import type { Vault } from './vault.ts'

export interface Ports {
  readonly store: Store
  readonly policy: Policy
  readonly clock: Clock
  readonly ids: Ids
  readonly issuers: Issuers
  readonly clientAuthorities: ClientAuthorities
  readonly vault: Vault
  readonly people: People
  readonly passwords: PasswordPolicy
  readonly signUpHook: SignUpHook | null
  /** `null` limits are off. */
  readonly limits: Limits
  readonly limiter: Limiter
  /** The one way out of this server by HTTP. */
  readonly outbound: Outbound
  /** The same for LDAP directories. */
  readonly ldap: Ldap
  /** Null: no mail can be sent, and features that need it are not offered. */
  readonly mail: Mail | null
  /** The version of the consent text that a person is shown; it is stored in the consent record. */
  readonly consentTextVersion: string
}
