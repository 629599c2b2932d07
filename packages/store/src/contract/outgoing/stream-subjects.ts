/** People whom the receiver of a stream of shared signals named, and whom its client may know anyway. */
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'

export interface StreamSubject {
  readonly tenant: TenantId
  readonly stream: string
  /** The id of the person. */
  readonly subject: string
  /** Whether nothing is to be told of them. */
  readonly removed: boolean
  /** What the receiver calls them; null where it was told. */
  readonly subId: JsonObject | null
}

export interface StreamSubjectStore {
  /** Instead of what was said of them before. 'full': there are `most` others. */
  put(it: StreamSubject & { readonly at: Instant; readonly most: number }): Promise<'put' | 'full' | 'absent'>
  find(tenant: TenantId, stream: string, subject: string): Promise<StreamSubject | null>
  /** Whether the person ever allowed the client something of which there still is a record. */
  isKnown(tenant: TenantId, subject: string, clientId: string): Promise<boolean>
}
