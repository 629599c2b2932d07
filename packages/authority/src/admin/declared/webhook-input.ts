/** Webhooks in a declaration, each with its secret and its path in the file. */
import type { Served } from '@grantor/protocol/documents'
import type { JsonObject } from '@grantor/protocol/types'
import {
  readWebhook,
  webhookFields,
  webhookIdProblem,
  webhookKey,
  type WebhookSettings,
} from '@grantor/protocol/webhooks'
import { onlyKnown } from './declared-fields.ts'
import type { ReportProblem } from './user-input.ts'

export interface WebhookInput {
  readonly id: string
  readonly settings: WebhookSettings
  /** Null: the present secret stays. */
  readonly key: Uint8Array | null
  /** Its path in the file. */
  readonly field: string
}

export function webhookInput(
  item: JsonObject,
  { at, served }: { readonly at: string; readonly served: Served },
  report: ReportProblem,
): WebhookInput | null {
  const { id, secret, ...rest } = item
  onlyKnown(rest, webhookFields, at, report)
  const misnamed = webhookIdProblem(id)
  if (misnamed !== null) return report(`${at}.id`, misnamed)
  const key = typeof secret === 'string' ? webhookKey(secret) : null
  if (secret !== undefined && key === null)
    return report(`${at}.secret`, 'must be whsec_ and 24 to 64 random bytes in base64')
  const read = readWebhook(rest, served)
  if (read.kind === 'ok') return { id: id as string, settings: read.value, key, field: at }
  for (const { field, problem } of read.error) report(`${at}.${field}`, problem)
  return null
}
