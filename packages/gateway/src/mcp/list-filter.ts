/** Lists of an MCP server on their way to a caller: they show what it may use, and nothing else. */
import { StringDecoder } from 'node:string_decoder'
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'
import type { McpPlan } from '../config/gateway-plan.ts'
import type { AnswerTransform } from '../proxy/forward.ts'
import { scopesByName, scopesOfResource } from './message-scopes.ts'

/** What is held back to be looked through has a bound; an answer beyond it is cut off. */
const mostHeld = 8 * 1024 * 1024

type Granted = ReadonlySet<string>

/** Of one message; the same value where nothing is taken out. */
export function filterMessage(message: Json, plan: McpPlan, granted: Granted): Json {
  if (Array.isArray(message)) return (message as readonly Json[]).map((one) => filterMessage(one, plan, granted))
  if (!isJsonObject(message) || !isJsonObject(message['result'] ?? null)) return message
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

/** `contentType` of the answer; null where it holds no messages. */
export function listFilter(contentType: string, plan: McpPlan, granted: Granted): AnswerTransform | null {
  const filtered = (text: string): string => {
    const message = parsed(text)
    return message === undefined ? text : JSON.stringify(filterMessage(message, plan, granted))
  }
  // RFC 9110 §8.3.1: in whatever case.
  const type = contentType.toLowerCase()
  if (type.startsWith('application/json')) return jsonFilter(filtered)
  return type.startsWith('text/event-stream') ? eventFilter(filtered) : null
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function jsonFilter(filtered: (text: string) => string): AnswerTransform {
  const chunks: Buffer[] = []
  let size = 0
  return {
    take(chunk) {
      size += chunk.length
      if (size > mostHeld) throw new Error('the answer is too large to be filtered')
      chunks.push(chunk)
      return null
    },
    end: () => Buffer.from(filtered(Buffer.concat(chunks).toString('utf8'))),
  }
}

/** Event by event (HTML §9.2.6); `id` and `event` stay as they are. */
function eventFilter(filtered: (text: string) => string): AnswerTransform {
  const decoder = new StringDecoder('utf8')
  let held = ''
  const whole = (): Buffer | null => {
    const events = held.split(/\r\n\r\n|\n\n|\r\r/)
    held = events.pop() ?? ''
    return events.length === 0 ? null : Buffer.from(events.map((event) => `${eventText(event)}\n\n`).join(''))
  }
  const eventText = (event: string): string => {
    const lines = event.split(/\r\n|\n|\r/)
    const data = lines.filter((line) => /^data(?::|$)/.test(line)).map((line) => line.replace(/^data:? ?/, ''))
    const rest = lines.filter((line) => !/^data(?::|$)/.test(line))
    return [...rest, ...(data.length === 0 ? [] : [`data: ${filtered(data.join('\n'))}`])].join('\n')
  }
  return {
    take(chunk) {
      held += decoder.write(chunk)
      if (held.length > mostHeld) throw new Error('an event is too large to be filtered')
      return whole()
    },
    end: () => whole(),
  }
}
