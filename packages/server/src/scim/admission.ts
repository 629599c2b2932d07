/** Whether a request may use the SCIM service: a token or a key of this issuer, with the scope that its method needs. */
import type { IncomingMessage } from 'node:http'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import { type Caller, presentedCredentials, presentedScheme } from '@grantor/resource'
import {
  type ApiRequest,
  type Challenge,
  rejectionProblem,
  type RequestHeaders,
  scopeProblem,
} from '@grantor/resource/http'
import { inProcessValidator } from '../admin/validator.ts'
import { keyVerdict } from './key-verdict.ts'
import type { HttpContext } from '../http/http-context.ts'
import { certificateIn } from '../http/possession.ts'
import { type ScimAnswer, scimRefusal } from './scim-responder.ts'

export type ScimContext = Pick<HttpContext, 'authority' | 'certificates' | 'issuer'>

export interface ReceivedScim {
  readonly raw: IncomingMessage
  readonly request: ApiRequest
  readonly headers: RequestHeaders
  readonly tenant: TenantId
}

export type ScimScope = 'scim:read' | 'scim:write'

export async function admit(
  { raw, request, headers, tenant }: ReceivedScim,
  scope: ScimScope,
  { authority, certificates, issuer }: ScimContext,
): Promise<Result<Caller, ScimAnswer>> {
  const { method, target, ip, peer } = request
  const certificate = certificateIn(raw, certificates)
  const lines = { method, target, lines: headers.lines, address: () => ip, peer, certificate }
  const presented = presentedCredentials(lines, issuer.origin())
  const challenge: Challenge = { realm: 'scim', resourceMetadata: null, insufficientScopeStatus: 403, scope: [scope] }
  const home = { tenant, issuer: issuer.of(tenant) }
  const verdict =
    (await keyVerdict(presented, { ...home, ip }, authority)) ??
    (await inProcessValidator(authority, home).validate(presented))
  const problem =
    verdict.kind === 'error'
      ? rejectionProblem(verdict.error, challenge, presentedScheme(presented))
      : verdict.value.scope.has(scope)
        ? null
        : scopeProblem(scope, verdict.value, challenge)
  if (problem !== null) return err(scimRefusal(problem, problem.headers))
  return verdict.kind === 'ok' ? ok(verdict.value) : err(scimRefusal({ status: 401, detail: '' }))
}
