/** The options of the revocation feed's client. */
import type { KeyMessage } from '@grantor/protocol/feed'
import type { ClientToken } from '../issuer/client-token.ts'
import type { KeySource } from '../issuer/key-source.ts'
import type { Outbound } from '../issuer/outbound.ts'
import type { Metrics } from '../metrics.ts'
import type { Time } from '../time.ts'
import type { FeedAcknowledgements } from './acknowledgements.ts'
import type { FeedRelay } from './feed-relay.ts'
import type { StalenessLimits } from './staleness.ts'

export interface RevocationFeedOptions {
  readonly issuer: string
  /** Where the feed is read: the issuer, or a relay of its feed. */
  readonly address: string
  readonly token: ClientToken
  readonly outbound: Outbound
  readonly time: Time
  readonly metrics: Metrics
  readonly random: () => number
  /** The keys that verify the snapshot. */
  readonly keys: KeySource
  /** Reads all key sets in use again: a key may have been dropped between the last event read and the snapshot. */
  readonly refreshKeys: () => Promise<void>
  readonly onKeyMessage: (message: KeyMessage) => void
  readonly concerns: (tenant: string | null) => boolean
  readonly transport: 'stream' | 'poll'
  readonly limits: StalenessLimits
  /** Milliseconds. */
  readonly leeway: number
  readonly capacity: number
  /** null: the issuer is not told how far the feed was read. */
  readonly acknowledgements: FeedAcknowledgements | null
  /** Serves the feed to further validators. */
  readonly relay: FeedRelay | null
}
