/** The scopes that a message to an MCP server needs: of the tool, resource or prompt it names (MCP 2025-11-25). */
import type { Json } from '@grantor/protocol/types'
import { isJsonObject } from '@grantor/protocol/types'
import type { McpPlan } from '../config/gateway-plan.ts'
import type { RpcMessage } from './messages.ts'

/** Methods that name no object: their results are about the server itself, or lists, which are filtered. */
const plainMethods = new Set([
  'initialize',
  'ping',
  'server/discover',
  'logging/setLevel',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
  'tasks/get',
  'tasks/list',
  'tasks/cancel',
  'tasks/result',
])

/** null: no rule of the file allows the message. */
export function scopesOfMessage({ method, params }: RpcMessage, plan: McpPlan): readonly string[] | null {
  if (method === null) return []
  const declared = plan.methods.get(method)
  const named = scopesByMethod(method, params, plan)
  if (declared === undefined) return named === undefined ? null : named
  return named === null ? null : [...declared, ...(named ?? [])]
}

/** undefined: the method is unknown. */
function scopesByMethod(
  method: string,
  { name, uri, ref }: RpcMessage['params'],
  plan: McpPlan,
): readonly string[] | null | undefined {
  if (method === 'tools/call') return scopesByName(plan.tools, name)
  if (method === 'prompts/get') return scopesByName(plan.prompts, name)
  if (method === 'resources/read' || method === 'resources/subscribe' || method === 'resources/unsubscribe')
    return scopesOfResource(uri, plan)
  if (method === 'completion/complete') return scopesOfReference(ref, plan)
  return plainMethods.has(method) || method.startsWith('notifications/') ? [] : undefined
}

export const scopesByName = (
  scopes: ReadonlyMap<string, readonly string[]>,
  name: Json | undefined,
): readonly string[] | null => (typeof name === 'string' ? (scopes.get(name) ?? null) : null)

/**
 * The scopes of a resource's URI. A URI that the file names has exactly those. Any other needs the scopes of its text
 * and, where the file has a rule for it, of its normal form by the URL standard, which the MCP SDK for TypeScript uses.
 */
export function scopesOfResource(uri: Json | undefined, { resources }: McpPlan): readonly string[] | null {
  if (typeof uri !== 'string') return null
  const written = resources.get(uri) ?? scopesByBeginning(uri, resources)
  const read = resources.has(uri) ? null : URL.parse(uri)
  if (written === null || read === null) return written
  return [...written, ...(resources.get(read.href) ?? scopesByBeginning(read.href, resources) ?? [])]
}

/** The scopes of the longest pattern that matches. */
function scopesByBeginning(uri: string, resources: McpPlan['resources']): readonly string[] | null {
  // A server that resolves `..`, or strips control characters that hide one, may read a resource of another pattern.
  if (hasDotSegment(uri) || hasControl(uri)) return null
  let best: string | null = null
  for (const pattern of resources.keys()) {
    const covers = pattern.endsWith('*') && uri.startsWith(pattern.slice(0, -1))
    if (covers && pattern.length > (best?.length ?? -1)) best = pattern
  }
  return best === null ? null : (resources.get(best) ?? null)
}

const hasDotSegment = (uri: string): boolean =>
  /(?:^|[/\\]|%(?:25)*(?:2f|5c))(?:\.|%(?:25)*2e){1,2}(?:$|[/\\?#;]|%(?:25)*(?:2f|5c))/i.test(uri)
const hasControl = (uri: string): boolean => /\p{Cc}/u.test(uri)

/** Completion needs the same scopes as the use of the object. */
function scopesOfReference(ref: Json | undefined, plan: McpPlan): readonly string[] | null {
  if (!isJsonObject(ref ?? null)) return null
  const { type, name, uri } = ref as RpcMessage['params']
  if (type === 'ref/prompt') return scopesByName(plan.prompts, name)
  return type === 'ref/resource' ? scopesOfResource(uri, plan) : null
}
