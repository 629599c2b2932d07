/** What the authority needs of the world. Only compose.ts knows which of these are real. */
import type { Policy, SecretPrefix } from '@grantor/protocol/oauth'
import type { Handle, Instant, Secret, TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { Limiter, Limits } from '../limits/limits.ts'
import type { Mail } from './mail.ts'
import type { Outbound } from './outbound.ts'
import type { People } from './people.ts'

export interface Ports {
  readonly store: Store
  readonly policy: Policy
  now(): Instant
  /** https://host for the default tenant, https://host/t/{tenant} for the others. */
  issuerOf(tenant: TenantId): string
  /** A fresh 256-bit secret that names itself by its prefix. */
  secret(prefix: SecretPrefix): Secret
  handleOf(secret: string): Handle
  /** 32 fresh random bytes. */
  salt(): Uint8Array
  /** A fresh sortable identifier (UUIDv7). */
  id(): string
  /** Seals under the master key; `open` takes what the current or a previous one sealed, and gives null for the rest. */
  readonly vault: Vault
  readonly people: People
  /** `null` limits are off. */
  readonly limits: Limits
  readonly limiter: Limiter
  /** The one way out of this server. */
  readonly outbound: Outbound
  /** Null: nothing can be mailed, and whatever needs it is not offered. */
  readonly mail: Mail | null
  /** The version of the words a person is shown when asked for consent; it stands in the record. */
  readonly consentTextVersion: string
}

export interface Vault {
  /** The context is part of the seal: what was sealed for one place does not open in another. */
  seal(plain: Uint8Array, context: string): Uint8Array
  /** Whether the current master key sealed it, and not a previous one. */
  isCurrent(sealed: Uint8Array): boolean
  open(sealed: Uint8Array, context: string): Uint8Array | null
}
