/** The search for grants and consents by an administrator. */
import type { Grant } from '@grantor/protocol/grants'
import type { Instant } from '@grantor/protocol/types'

/** Those of the given person and client, if set; before the given id. */
export interface AccessSearch {
  readonly subject: string | null
  readonly clientId: string | null
  readonly before: string | null
  readonly limit: number
}

export interface UsedGrant extends Grant {
  /** When it last issued a token. */
  readonly lastUsedAt: Instant | null
}
