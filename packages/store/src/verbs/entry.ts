/** Events as verbs carry them: written down once, before they travel to a writer. */
import { encodeEvent, feedEvents, type NewEvent, personOf } from '@grantor/protocol/events'
import type { Instant, TenantId } from '@grantor/protocol/types'

/** An event written down: `body` is the exact text that the log will hash. */
export interface Entry {
  readonly tenant: TenantId
  readonly at: Instant
  readonly feed: 0 | 1
  /** Whose recent activity it is part of; null for most. */
  readonly subject: string | null
  readonly body: string
}

export const entryOf = (event: NewEvent): Entry => ({
  tenant: event.tenant,
  at: event.at,
  feed: feedEvents.has(event.name) ? 1 : 0,
  subject: personOf(event),
  body: encodeEvent(event),
})
