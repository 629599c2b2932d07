/** Filters lists of an MCP server on their way to a caller, so that they show only what it may use. */
import { isUtf8, parseMediaType } from '@grantor/protocol/http'
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'
import type { McpPlan } from '../config/gateway-plan.ts'
import type { AnswerTransform } from '../proxy/forward.ts'
import { eventFilter, mostHeld, utf8 } from './event-filter.ts'
import { isExactNumber, parseExactly } from './exact-json.ts'
import { scopesByName, scopesOfResource } from './message-scopes.ts'

type Granted = ReadonlySet<string>

/** Filters one message, or each of a batch; other values are returned unchanged. */
export function filterMessage(message: Json, plan: McpPlan, granted: Granted): Json {
  if (Array.isArray(message)) return (message as readonly Json[]).map((one) => filterMessage(one, plan, granted))
  if (!isJsonObject(message) || !isJsonObject(message['result'] ?? null) || isExactNumber(message['result']))
    return message
  const result = { ...(message['result'] as JsonObject) }
  for (const [member, scopesOf] of Object.entries(lists)) {
    const items = result[member]
    if (!Array.isArray(items)) continue
    result[member] = (items as readonly Json[]).filter((item) => {
      const scopes = isJsonObject(item) ? scopesOf(item, plan) : null
      return scopes?.every((scope) => granted.has(scope)) === true
    })
  }
  return { ...message, result }
}

const lists: Readonly<Record<string, (item: JsonObject, plan: McpPlan) => readonly string[] | null>> = {
  tools: ({ name }, { tools }) => scopesByName(tools, name),
  prompts: ({ name }, { prompts }) => scopesByName(prompts, name),
  resources: ({ uri }, plan) => scopesOfResource(uri, plan),
  resourceTemplates: ({ uriTemplate }, plan) => scopesOfResource(uriTemplate, plan),
}

/** Filters the text of a message. Throws where it cannot be parsed, because a client might still find a list in it. */
export type FilterText = (text: string) => string

export interface FilteredAnswer {
  readonly status: number
  /** undefined: the answer has none. */
  readonly contentType: string | string[] | undefined
  readonly plan: McpPlan
  readonly granted: Granted
}

/** null where no client reads messages: in an error (300 and above) or a 202, if its type is not one of messages. */
export function listFilter({ status, contentType, plan, granted }: FilteredAnswer): AnswerTransform | null {
  const filterText: FilterText = (text) => JSON.stringify(filterMessage(parsed(text), plan, granted))
  const type = typeof contentType === 'string' ? parseMediaType(contentType) : null
  const essence = type !== null && isUtf8(type) ? type.essence : null
  if (essence === 'application/json') return jsonFilter(filterText)
  if (essence === 'text/event-stream') return eventFilter(filterText)
  const isOther = contentType === undefined || (type !== null && !messageTypes.has(type.essence))
  return isOther && (status === 202 || status >= 300) ? null : nothing
}

function parsed(text: string): Json {
  try {
    return parseExactly(text)
  } catch {
    // The error does not quote the text, which is for the caller alone.
    throw new Error('the answer holds what is no JSON and cannot be filtered')
  }
}

const messageTypes = new Set(['application/json', 'text/event-stream'])

/** Lets through an answer without content, such as that to the end of a session; fails for any other. */
const nothing: AnswerTransform = {
  isWhole: true,
  take(chunk) {
    if (chunk.length > 0) throw new Error('the answer is of a type that cannot be filtered')
    return null
  },
  end: () => null,
}

function jsonFilter(filterText: FilterText): AnswerTransform {
  const chunks: Buffer[] = []
  let size = 0
  return {
    isWhole: true,
    take(chunk) {
      size += chunk.length
      if (size > mostHeld) throw new Error('the answer is too large to be filtered')
      chunks.push(chunk)
      return null
    },
    // RFC 8259 §8.1: UTF-8, and a byte order mark may be passed over.
    end: () => (size === 0 ? null : Buffer.from(filterText(utf8().decode(Buffer.concat(chunks))))),
  }
}
