/** What the authority needs of the world. Only compose.ts knows which of these are real. */
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
  /** The one way out of this server. */
  readonly outbound: Outbound
  /** The same for directories, which do not speak HTTP. */
  readonly ldap: Ldap
  /** Null: nothing can be mailed, and whatever needs it is not offered. */
  readonly mail: Mail | null
  /** The version of the words a person is shown when asked for consent; it stands in the record. */
  readonly consentTextVersion: string
}
