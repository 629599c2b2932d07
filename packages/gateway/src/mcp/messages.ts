/** Reads the JSON-RPC 2.0 messages of a request to an MCP server; refuses those that readers could take differently. */
import { problem, type Problem, readJson } from '@grantor/protocol/http'
import { err, type Err, ok, type Result } from '@grantor/protocol/result'
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'

export interface RpcMessage {
  /** null: the response to a request of the server. */
  readonly method: string | null
  readonly params: JsonObject
}

const mostMessages = 50
const deepest = 64
const longestMethod = 256

/** One message, or a batch of them (MCP 2025-03-26). */
export function readMessages(body: Uint8Array): Result<readonly RpcMessage[], Problem> {
  const text = decoded(body)
  if (text === null) return refused('The body is not UTF-8.')
  const read = readJson(text, deepest, 'kept')
  if (read.kind === 'error') return refused(read.error.detail)
  const batch = Array.isArray(read.value) ? (read.value as readonly Json[]) : [read.value]
  if (batch.length === 0 || batch.length > mostMessages) return refused(`A batch has 1 to ${mostMessages} messages.`)
  const messages: RpcMessage[] = []
  for (const value of batch) {
    const message = isJsonObject(value) ? messageIn(value) : null
    if (message === null) return refused('The body holds what is no JSON-RPC message.')
    messages.push(message)
  }
  return ok(messages)
}

const refused = (detail: string): Err<Problem> => err(problem('invalid-request', detail))

function decoded(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return null
  }
}

function messageIn(value: JsonObject): RpcMessage | null {
  const { jsonrpc, method, params = {} } = value
  if (jsonrpc !== '2.0' || !isSpelledOnce(value, ['jsonrpc', 'id', 'method', 'params', 'result', 'error'])) return null
  if (method === undefined) return 'result' in value || 'error' in value ? { method: null, params: {} } : null
  if (typeof method !== 'string' || method.length > longestMethod || !isJsonObject(params)) return null
  if (!isSpelledOnce(params, ['name', 'uri', 'ref'])) return null
  const { ref } = params
  return isJsonObject(ref) && !isSpelledOnce(ref, ['type', 'name', 'uri']) ? null : { method, params }
}

const plainName = /^[\x20-\x7E]*$/

/**
 * Some parsers take `Method` for `method`, some also `param\u017f` or `name\u0000`; a message with both spellings would
 * mean different things to different parsers.
 */
function isSpelledOnce(value: JsonObject, names: readonly string[]): boolean {
  return Object.keys(value).every(
    (key) => names.includes(key) || (plainName.test(key) && !names.includes(key.toLowerCase())),
  )
}
