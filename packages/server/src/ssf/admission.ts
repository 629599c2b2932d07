/** Whether a request may use the endpoints of shared signals: a token of this issuer, of a client for itself, with the scope. */
import type { IncomingMessage } from 'node:http'
import type { Origin } from '@grantor/authority'
import { err, ok, type Result } from '@grantor/protocol/result'
import { type Caller, presentedCredentials, presentedScheme } from '@grantor/resource'
import {
  type ApiRequest,
  type Challenge,
  rejectionProblem,
  type RequestHeaders,
  scopeProblem,
} from '@grantor/resource/http'
import { inProcessValidator } from '../admin/validator.ts'
import type { HttpContext } from '../http/http-context.ts'
import { certificateIn } from '../http/possession.ts'
import type { SsfScope } from './operations.ts'
import { type SsfAnswer, ssfRefusal } from './ssf-responder.ts'

export type SsfContext = Pick<HttpContext, 'authority' | 'certificates' | 'issuer'>

export interface ReceivedSsf {
  readonly raw: IncomingMessage
  readonly request: ApiRequest
  readonly headers: RequestHeaders
  readonly origin: Origin
}

/** Who may change streams may read them. A stream belongs to a client: what a person signed in to opens none. */
export async function admit(
  { raw, request, headers, origin: { tenant } }: ReceivedSsf,
  scope: SsfScope,
  { authority, certificates, issuer }: SsfContext,
): Promise<Result<Caller, SsfAnswer>> {
  const { method, target, ip, peer } = request
  const certificate = certificateIn(raw, certificates)
  const lines = { method, target, lines: headers.lines, address: () => ip, peer, certificate }
  const presented = presentedCredentials(lines, issuer.origin())
  const challenge: Challenge = { realm: 'ssf', resourceMetadata: null, insufficientScopeStatus: 403, scope: [scope] }
  const home = { tenant, issuer: issuer.of(tenant) }
  const verdict = await inProcessValidator(authority, home).validate(presented)
  const refuse = (problem: ReturnType<typeof scopeProblem>): Result<never, SsfAnswer> => {
    const { status, detail, headers: more } = problem
    return err(
      ssfRefusal(
        { status, err: status === 403 ? 'access_denied' : 'authentication_failed', description: detail },
        more,
      ),
    )
  }
  if (verdict.kind === 'error') return refuse(rejectionProblem(verdict.error, challenge, presentedScheme(presented)))
  const caller = verdict.value
  const may = caller.scope.has(scope) || caller.scope.has('ssf.manage')
  return may && caller.subject === caller.clientId ? ok(caller) : refuse(scopeProblem(scope, caller, challenge))
}
