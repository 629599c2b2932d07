/** What an administrator looks for among grants and consents. */
import type { Grant } from '@grantor/protocol/grants'
import type { Instant } from '@grantor/protocol/types'

/** Of this person and of this client, where they are named; so many whose id comes before the one that is named. */
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
