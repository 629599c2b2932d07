/** Admits callers of a mounted API (SCIM, shared signals) by a token of this issuer with the scope. */
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
import { inProcessValidator } from './admin/validator.ts'
import type { HttpContext } from './http/http-context.ts'
import { certificateIn } from './http/possession.ts'

export type AdmissionContext = Pick<HttpContext, 'authority' | 'certificates' | 'issuer'>

export interface AskedByToken {
  readonly raw: IncomingMessage
  readonly request: ApiRequest
  readonly headers: RequestHeaders
  readonly tenant: TenantId
}

type Validator = ReturnType<typeof inProcessValidator>
type Presented = ReturnType<typeof presentedCredentials>

interface Admission {
  readonly realm: string
  readonly scope: string
  readonly may: (caller: Caller) => boolean
  /** Accepts another kind of credential; returns null where something else was presented. */
  readonly instead?: (presented: Presented) => Promise<Awaited<ReturnType<Validator['validate']>> | null>
}

export type AdmissionProblem = ReturnType<typeof scopeProblem>

export async function admitByToken(
  { raw, request, headers, tenant }: AskedByToken,
  { realm, scope, may, instead }: Admission,
  { authority, certificates, issuer }: AdmissionContext,
): Promise<Result<Caller, AdmissionProblem>> {
  const { method, target, ip, peer } = request
  const certificate = certificateIn(raw, certificates)
  const lines = { method, target, lines: headers.lines, address: () => ip, peer, certificate }
  const presented = presentedCredentials(lines, issuer.origin())
  const challenge: Challenge = { realm, resourceMetadata: null, insufficientScopeStatus: 403, scope: [scope] }
  const home = { tenant, issuer: issuer.of(tenant) }
  const verdict = (await instead?.(presented)) ?? (await inProcessValidator(authority, home).validate(presented))
  if (verdict.kind === 'error') return err(rejectionProblem(verdict.error, challenge, presentedScheme(presented)))
  return may(verdict.value) ? ok(verdict.value) : err(scopeProblem(scope, verdict.value, challenge))
}
