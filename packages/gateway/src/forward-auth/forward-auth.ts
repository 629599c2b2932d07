/** Forward-auth: answers another proxy that asks whether a request may pass, and who its caller is. */
import { problem, type Problem } from '@grantor/protocol/http'
import { err, ok } from '@grantor/protocol/result'
import { apiResponse, type Reply } from '@grantor/resource/http'
import type { Access, AccessDecision, AccessRequest } from '../access/access.ts'
import { identityHeaders, identityOf } from '../headers/identity-headers.ts'
import { forwardAuthPath, readOriginalRequest } from './original-request.ts'

export const isForwardAuth = (path: string): boolean =>
  path === forwardAuthPath || path.startsWith(`${forwardAuthPath}/`)

export interface ForwardAuthContext {
  readonly access: Access
  /** Tells the operator about a proxy that does not say which request it asks about. */
  notice(text: string): void
}

/** nginx understands only 2xx, 401 and 403 and treats other statuses as errors, so a bad request is 403 here. */
export function answerForwardAuth(
  asked: AccessRequest,
  { access, notice }: ForwardAuthContext,
): Reply | Promise<Reply> {
  const original = readOriginalRequest(asked)
  if (original.kind === 'error') {
    notice(`forward-auth refused a request: ${original.error}`)
    return err(problem('forbidden', 'The request that this is about cannot be told.'))
  }
  const { lines, peer, address } = asked
  // Without `certificate`, as the one of the connection is the proxy's own.
  const decision = access.decide({ ...original.value, lines, peer, address })
  return decision instanceof Promise ? decision.then(answerOf) : answerOf(decision)
}

/** Turns a 400 (RFC 6750 §3.1: malformed credentials) into 403, with its code and challenge. */
function asForbidden(refused: Problem): Problem {
  const { status, detail, code, headers = {} } = refused
  return status === 400 ? problem('forbidden', detail, { code, headers }) : refused
}

/** Empty identity headers where there is no caller: the proxy copies them, and so replaces any the client sent. */
const nobody = Object.fromEntries(identityHeaders.map((name) => [name.toLowerCase(), '']))

function answerOf(decision: AccessDecision): Reply {
  if (decision.kind === 'error') return err(asForbidden(decision.error))
  const { caller, headers } = decision.value
  const identity =
    caller === null
      ? nobody
      : Object.fromEntries(Object.entries(identityOf(caller)).map(([name, value]) => [name.toLowerCase(), value]))
  return ok(apiResponse(200, { ...headers, ...identity, 'cache-control': 'no-store' }))
}
