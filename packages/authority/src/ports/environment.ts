/** What a node has of its surroundings: the time, fresh names and secrets, and the addresses it answers for. */
import { setTimeout as pause } from 'node:timers/promises'
import type { CertificateFacts } from '@grantor/protocol/mtls'
import type { SecretPrefix } from '@grantor/protocol/oauth'
import type { Handle, Instant, Secret, TenantId } from '@grantor/protocol/types'

export interface Clock {
  now(): Instant
  /** Milliseconds by which another node may read the same moment earlier: 0 where there is one. */
  readonly margin: number
  /** Resolves when it is that late; what is more than a moment ahead is not waited for. */
  until(at: Instant): Promise<void>
}

/** A clock that tells the time so, and waits by a timer. */
export const clockOf = (now: () => Instant, margin = 0): Clock => ({
  now,
  margin,
  async until(at) {
    // Twice as long where it must be: a clock that is ahead goes at half the speed.
    const longest = performance.now() + 2 * Math.min(at - now(), longestWait)
    for (let left = at - now(); left > 0 && performance.now() < longest; left = at - now())
      await pause(Math.min(left, longestWait))
  },
})

/** Milliseconds; longer than a second, as nothing that is waited for is further away. */
const longestWait = 1_500

export interface Ids {
  /** A fresh sortable identifier (UUIDv7). */
  id(): string
  /** A fresh 256-bit secret that names itself by its prefix. */
  secret(prefix: SecretPrefix): Secret
  /** 32 fresh random bytes. */
  salt(): Uint8Array
  /** What a secret is stored and found by. */
  handleOf(secret: string): Handle
}

export interface Issuers {
  /** https://host for the default tenant, https://host/t/{tenant} for the others. */
  issuerOf(tenant: TenantId): string
  /** The same where clients are asked for certificates (RFC 8705 §5); null where no other address does. */
  mtlsIssuerOf?(tenant: TenantId): string | null
}

/** Whose certificates clients may show (RFC 8705 §2.1). */
export interface ClientAuthorities {
  /** The same list as long as nothing changed. */
  trusted(): readonly CertificateFacts[]
}

const nobody: readonly CertificateFacts[] = []

/** Where no authority is named; then certificates prove a key at most. */
export const noClientAuthorities: ClientAuthorities = { trusted: () => nobody }
