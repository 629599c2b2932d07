/** Admits callers of the shared signals endpoints: by a client's own token of this issuer, with the scope. */
import type { Origin } from '@grantor/authority'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Caller } from '@grantor/resource'
import type { HttpContext } from '../http/http-context.ts'
import { type AdmissionContext, admitByToken, type AskedByToken } from '../token-admission.ts'
import type { SsfScope } from './operations.ts'
import { type SsfAnswer, ssfRefusal } from './ssf-responder.ts'

export type SsfContext = AdmissionContext & Pick<HttpContext, 'draining'>

export interface ReceivedSsf extends Omit<AskedByToken, 'tenant'> {
  readonly origin: Origin
}

/** `ssf.manage` includes reading. Streams belong to clients, so tokens of people are refused. */
export async function admit(
  { origin: { tenant }, ...received }: ReceivedSsf,
  scope: SsfScope,
  context: SsfContext,
): Promise<Result<Caller, SsfAnswer>> {
  const may = ({ scope: held, subject, clientId }: Caller): boolean =>
    (held.has(scope) || held.has('ssf.manage')) && subject === clientId
  const admitted = await admitByToken({ ...received, tenant }, { realm: 'ssf', scope, may }, context)
  if (admitted.kind === 'ok') return ok(admitted.value)
  const { status, detail: description, headers } = admitted.error
  const code = status === 403 ? 'access_denied' : 'authentication_failed'
  // SSF 1.0 §8.1: a malformed token is a failed authorization, too.
  return err(ssfRefusal({ status: status === 400 ? 401 : status, err: code, description }, headers))
}
