/** What the client of the revocation feed is made of. */
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
  /** Verify the snapshot. */
  readonly keys: KeySource
  /** All keys of the deployment that are in use: one may have died between what was read of the log and the snapshot. */
  readonly refreshKeys: () => Promise<void>
  readonly onKeyMessage: (message: KeyMessage) => void
  readonly concerns: (tenant: string | null) => boolean
  readonly transport: 'stream' | 'poll'
  readonly limits: StalenessLimits
  /** Milliseconds. */
  readonly leeway: number
  readonly capacity: number
  /** null: the issuer is not told how far the view has come. */
  readonly acknowledgements: FeedAcknowledgements | null
  /** Hands on what is heard. */
  readonly relay: FeedRelay | null
}
