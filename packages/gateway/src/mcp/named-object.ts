/** The object of a message to an MCP server: the tool, resource or prompt that it names. */
import { isJsonObject, type Json } from '@grantor/protocol/types'
import type { RpcMessage } from './messages.ts'

export interface NamedObject {
  readonly type: 'tool' | 'resource' | 'prompt'
  readonly id: string
}

/** The member to read depends on the method; further members are ignored. Null where the message names nothing. */
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
