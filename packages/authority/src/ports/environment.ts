/** The environment of a node: its clock, random ids and secrets, and the addresses of its issuers. */
import { setTimeout as pause } from 'node:timers/promises'
import type { CertificateFacts } from '@grantor/protocol/mtls'
import type { SecretPrefix } from '@grantor/protocol/oauth'
import type { Handle, Instant, Secret, TenantId } from '@grantor/protocol/types'

export interface Clock {
  now(): Instant
  /** Milliseconds by which another node's clock may be behind: 0 for a single node. */
  readonly margin: number
  /** Resolves at that time; if it is more than a moment ahead, resolves earlier. */
  until(at: Instant): Promise<void>
}

/** A clock that reads `now`, and waits by a timer. */
export const clockOf = (now: () => Instant, margin = 0): Clock => ({
  now,
  margin,
  async until(at) {
    // Twice as long if necessary: a clock that is being slewed back may run at half the speed.
    const longest = performance.now() + 2 * Math.min(at - now(), longestWait)
    for (let left = at - now(); left > 0 && performance.now() < longest; left = at - now())
      await pause(Math.min(left, longestWait))
  },
})

/** Milliseconds; longer than a second, because every awaited time is at most a second ahead. */
const longestWait = 1_500

export interface Ids {
  /** A fresh sortable identifier (UUIDv7). */
  id(): string
  /** A fresh 256-bit secret with a prefix that tells its kind. */
  secret(prefix: SecretPrefix): Secret
  /** 32 fresh random bytes. */
  salt(): Uint8Array
  /** The hash by which a secret is stored and found. */
  handleOf(secret: string): Handle
}

export interface Issuers {
  /** https://host for the default tenant, https://host/t/{tenant} for the others. */
  issuerOf(tenant: TenantId): string
  /** The same at the address where clients show certificates (RFC 8705 §5); null where there is no such address. */
  mtlsIssuerOf?(tenant: TenantId): string | null
}

/** The authorities whose certificates clients may present (RFC 8705 §2.1). */
export interface ClientAuthorities {
  /** The same list object as long as nothing changed. */
  trusted(): readonly CertificateFacts[]
}

const nobody: readonly CertificateFacts[] = []

/** No authorities: a certificate then proves possession of a key at most. */
export const noClientAuthorities: ClientAuthorities = { trusted: () => nobody }
