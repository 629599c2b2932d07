/** What a message to an MCP server is about: the tool, the resource or the prompt that it names. */
import { isJsonObject, type Json } from '@grantor/protocol/types'
import type { RpcMessage } from './messages.ts'

export interface NamedObject {
  readonly type: 'tool' | 'resource' | 'prompt'
  readonly id: string
}

/** By its method: a message may hold further members, which nobody goes by. Null where it names nothing. */
export function namedObject({ method, params }: RpcMessage): NamedObject | null {
  const { name, uri, ref } = params
  if (method === null) return null
  if (method === 'tools/call') return named('tool', name)
  if (method === 'prompts/get') return named('prompt', name)
  if (method.startsWith('resources/')) return named('resource', uri)
  if (method !== 'completion/complete' || !isJsonObject(ref ?? null)) return null
  const meant = ref as RpcMessage['params']
  return meant['type'] === 'ref/prompt' ? named('prompt', meant['name']) : named('resource', meant['uri'])
}

const named = (type: NamedObject['type'], id: Json | undefined): NamedObject | null =>
  typeof id === 'string' ? { type, id } : null
