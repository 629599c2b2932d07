/** The guard of an MCP server: every message needs the scopes of the object it names (MCP authorization, step-up). */
import { isUtf8, parseMediaType, problem, type Problem } from '@grantor/protocol/http'
import type { Caller } from '@grantor/resource'
import type { RequestHeaders } from '@grantor/resource/http'
import type { Access } from '../access/access.ts'
import type { McpPlan } from '../config/gateway-plan.ts'
import type { AnswerTransform } from '../proxy/forward.ts'
import { matchedSegments } from '../routing/request-target.ts'
import type { Route } from '../routing/routes.ts'
import { listFilter } from './list-filter.ts'
import { scopesOfMessage } from './message-scopes.ts'
import { readMessages, type RpcMessage } from './messages.ts'
import { namedObject } from './named-object.ts'
import { policyQuestions } from './policy-questions.ts'
import type { SessionOwners } from './session-owners.ts'

export interface ReceivedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface McpGuard {
  /** The scopes that every request needs. Without them, the challenge does not name those of single messages. */
  readonly route: Route
  serves(path: string): boolean
  /** The problem of a request before its body is read. */
  objection(method: string, headers: RequestHeaders, caller: Caller): Problem | null
  /** The problem of the messages in a body. */
  check(body: Uint8Array, headers: RequestHeaders, caller: Caller): Promise<Problem | null>
  /** Handles an answer: records the owner of a new session, and filters lists. */
  received(answer: ReceivedAnswer, caller: Caller): AnswerTransform | null
}

const methods = ['GET', 'POST', 'DELETE']

export function createMcpGuard(plan: McpPlan, access: Access, sessions: SessionOwners): McpGuard {
  const served = matchedSegments(plan.path)

  function lacking(message: RpcMessage, caller: Caller): Problem | null {
    const scopes = scopesOfMessage(message, plan)
    if (scopes === null) return problem('forbidden', 'No rule of this gateway allows this message.')
    // All scopes of the message: a client that asks for the missing ones alone would lose the others.
    return access.lacking([...new Set([...plan.scopes, ...scopes])], caller, 403)
  }

  /** Called after the check of scopes, so that the policy service is not asked about messages refused anyway. */
  async function denied(messages: readonly RpcMessage[], caller: Caller): Promise<Problem | null> {
    const questions = new Map(messages.flatMap(policyQuestions).map((it) => [JSON.stringify(it), it]))
    for (const question of questions.values()) {
      const refused = await access.denied(question, caller)
      if (refused !== null) return refused
    }
    return null
  }

  return {
    route: { path: plan.path, kind: 'template', methods: new Set(methods), need: [plan.scopes] },
    // Also paths below: the older transport (HTTP with SSE) takes messages there.
    serves(path) {
      const segments = matchedSegments(path)
      return served.every((segment, at) => segments[at] === segment)
    },
    objection(method, headers, caller) {
      if (!methods.includes(method))
        return problem('method-not-allowed', 'MCP takes GET, POST and DELETE.', {
          headers: { allow: methods.join(', ') },
        })
      const [session, ...more] = headers.lines('mcp-session-id')
      if (more.length > 0) return problem('invalid-request', 'Mcp-Session-Id is given once.')
      if (session !== undefined && !sessions.isOwn(session, caller))
        return problem('not-found', 'There is no such session.')
      if (method !== 'POST') return null
      const type = parseMediaType(headers.get('content-type') ?? '')
      const coded = headers.get('content-encoding') !== null
      // A server that honors another charset would read another message.
      return type?.essence === 'application/json' && isUtf8(type) && !coded
        ? null
        : problem('unsupported-media-type', 'Messages are application/json in UTF-8, without a content coding.')
    },
    async check(body, headers, caller) {
      const read = readMessages(body)
      if (read.kind === 'error') return read.error
      if (!areNamed(read.value, headers))
        return problem('invalid-request', 'Mcp-Method or Mcp-Name is not of this message.')
      for (const message of read.value) {
        const refused = lacking(message, caller)
        if (refused !== null) return refused
      }
      return plan.policy ? denied(read.value, caller) : null
    },
    received({ status, headers }, caller) {
      const session = headers['mcp-session-id']
      if (typeof session === 'string') sessions.claim(session, caller)
      if (!plan.filterLists) return null
      if (headers['content-encoding'] !== undefined) throw new Error('the API behind encoded what must be filtered')
      return listFilter({ status, contentType: headers['content-type'], plan, granted: caller.scope })
    },
  }
}

/** MCP 2026-07-28: a server may rely on these headers, so they must agree with the message. */
function areNamed(messages: readonly RpcMessage[], headers: RequestHeaders): boolean {
  const [method, name] = [headers.lines('mcp-method'), headers.lines('mcp-name')]
  if (method.length === 0 && name.length === 0) return true
  const [only] = messages
  if (only === undefined || messages.length > 1 || method.length > 1 || name.length > 1) return false
  return (method.length === 0 || method[0] === only.method) && (name.length === 0 || name[0] === namedObject(only)?.id)
}
