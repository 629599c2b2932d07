/** What a policy service is asked about a message to an MCP server: the method, and what it names (AuthZEN §6). */
import type { EvaluationRequest } from '@grantor/protocol/decisions'
import { isJsonObject, type Json } from '@grantor/protocol/types'
import type { RpcMessage } from './messages.ts'

type PolicyQuestion = Pick<EvaluationRequest, 'action' | 'resource'>

/** None for a message that names nothing. Arguments are the tool's own, and told to nobody else. */
export function policyQuestions({ method, params }: RpcMessage): readonly PolicyQuestion[] {
  const { name, uri, ref } = params
  if (method === null) return []
  const about = (type: string, id: Json | undefined): readonly PolicyQuestion[] =>
    typeof id === 'string' ? [{ action: { name: method }, resource: { type, id } }] : []
  if (method === 'tools/call') return about('tool', name)
  if (method === 'prompts/get') return about('prompt', name)
  if (method.startsWith('resources/')) return about('resource', uri)
  if (method !== 'completion/complete' || !isJsonObject(ref ?? null)) return []
  const meant = ref as RpcMessage['params']
  return meant['type'] === 'ref/prompt' ? about('prompt', meant['name']) : about('resource', meant['uri'])
}
