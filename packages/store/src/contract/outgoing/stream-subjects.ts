/** People whom the receiver of a shared-signals stream named, besides those whom its client knows. */
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'

export interface StreamSubject {
  readonly tenant: TenantId
  readonly stream: string
  /** The id of the person. */
  readonly subject: string
  /** Whether no events are delivered about the person. */
  readonly removed: boolean
  /** The receiver's identifier of the person; null where events are not to be delivered. */
  readonly subId: JsonObject | null
}

export interface StreamSubjectStore {
  /** Replaces the earlier entry of the person. 'full': there are `most` others. */
  put(it: StreamSubject & { readonly at: Instant; readonly most: number }): Promise<'put' | 'full' | 'absent'>
  find(tenant: TenantId, stream: string, subject: string): Promise<StreamSubject | null>
  /** Whether there is a record that the person ever consented to something for the client. */
  isKnown(tenant: TenantId, subject: string, clientId: string): Promise<boolean>
}
