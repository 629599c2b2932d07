/** The settings of a webhook: its address and its events. */
import type { Served } from '../documents/capabilities.ts'
import { displayTextProblem } from '../oauth/display-text.ts'
import { textLimits } from '../oauth/text-limits.ts'
import { type FieldProblem, outboundUrl } from '../registration/field-types.ts'
import { err, ok, type Result } from '../result.ts'
import type { Json, JsonObject } from '../types.ts'
import { patternProblem } from './event-patterns.ts'

export interface WebhookSettings {
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
  readonly status: 'enabled' | 'disabled'
}

/** Per tenant. */
export const mostWebhooks = 100

const webhookUrl = outboundUrl('443')

const problems: Readonly<Record<string, (value: Json | undefined, served: Served) => string | null>> = {
  url: (value, served) =>
    typeof value === 'string' && value.length > textLimits.uri
      ? `must not be longer than ${textLimits.uri} characters`
      : webhookUrl.check(value, served),
  events: patternProblem,
  description: (value) => (value === undefined ? null : displayTextProblem(value, 500)),
  status: (value) =>
    value === undefined || value === 'enabled' || value === 'disabled' ? null : 'must be enabled or disabled',
}

export const webhookFields: readonly string[] = Object.keys(problems)

export function readWebhook(input: JsonObject, served: Served): Result<WebhookSettings, readonly FieldProblem[]> {
  const found = webhookFields.flatMap((field) => {
    const problem = problems[field]?.(input[field], served) ?? null
    return problem === null ? [] : [{ field, problem }]
  })
  if (found.length > 0) return err(found)
  const { url, events, description, status } = input
  return ok({
    url: url as string,
    events: [...new Set(events as readonly string[])],
    description: (description ?? null) as string | null,
    status: (status ?? 'enabled') as WebhookSettings['status'],
  })
}

/** The id of a webhook in a file, and at `/v1/webhooks/{id}`. */
export const webhookIdProblem = (id: unknown): string | null =>
  typeof id === 'string' && /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(id)
    ? null
    : 'must be 1 to 64 letters, digits, - or _, beginning with a letter or digit'
