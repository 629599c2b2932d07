/** Client secrets are compared as SHA-256 handles, in constant time, with all secrets that have not expired. */
import { timingSafeEqual } from 'node:crypto'
import type { Client, ClientSecret } from '../registration/client.ts'
import type { Handle, Instant } from '../types.ts'

/**
 * No secret has this handle. For an unknown client, or one without secrets, the comparison uses it, so that the work is
 * the same.
 */
const decoy: readonly ClientSecret[] = [
  { handle: '-'.repeat(43) as Handle, createdAt: 0 as Instant, expiresAt: 0 as Instant },
]

export function matchesSecret(presented: Handle | null, client: Client | null, now: Instant): boolean {
  const shown = Buffer.from(presented ?? '')
  const secrets = client === null || client.secrets.length === 0 ? decoy : client.secrets
  let matched = false
  // Every secret is compared, so that the time does not reveal which one matched.
  for (const { handle, expiresAt } of secrets) {
    const same = equal(shown, Buffer.from(handle))
    if (same && (expiresAt === null || expiresAt > now)) matched = true
  }
  return matched
}

const equal = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
