/** The policy questions about a message to an MCP server: its method, and the object it names (AuthZEN §6). */
import type { EvaluationRequest } from '@grantor/protocol/decisions'
import type { RpcMessage } from './messages.ts'
import { namedObject } from './named-object.ts'

type PolicyQuestion = Pick<EvaluationRequest, 'action' | 'resource'>

/** None for a message that names nothing. Arguments of tools are not passed on. */
export function policyQuestions(message: RpcMessage): readonly PolicyQuestion[] {
  const resource = namedObject(message)
  return message.method === null || resource === null
    ? []
    : [{ action: { name: message.method }, resource: { ...resource } }]
}
