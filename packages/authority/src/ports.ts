/** What the authority needs of the world. Only compose.ts knows which of these are real. */
import type { Handle, Instant, Policy, Secret, TenantId } from '@grantor/protocol'
import type { Store } from '@grantor/store'
import type { Limiter, Limits } from './limits.ts'
import type { People } from './people/port.ts'

export interface Ports {
  readonly store: Store
  readonly policy: Policy
  now(): Instant
  /** https://host for the default tenant, https://host/t/{tenant} for the others. */
  issuerOf(tenant: TenantId): string
  /** A fresh 256-bit secret with its typed prefix: ga_ access, gc_ code, gr_ refresh, gs_ client secret … */
  secret(prefix: string): Secret
  handleOf(secret: string): Handle
  /** 32 fresh random bytes. */
  salt(): Uint8Array
  /** A fresh sortable identifier (UUIDv7). */
  id(): string
  /** Seals private keys under the master key; `open` gives null for what another key sealed. */
  readonly vault: Vault
  readonly people: People
  /** `null` limits are off. */
  readonly limits: Limits
  readonly limiter: Limiter
  /** The version of the words a person is shown when asked for consent; it stands in the record. */
  readonly consentTextVersion: string
}

export interface Vault {
  seal(plain: Uint8Array, context: string): Uint8Array
  open(sealed: Uint8Array, context: string): Uint8Array | null
}
