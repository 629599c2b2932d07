/** Whether a request may use the endpoints of shared signals: a token of this issuer, of a client for itself, with the scope. */
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

/** Who may change streams may read them. A stream belongs to a client: what a person signed in to opens none. */
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
  // SSF 1.0 §8.1: what is no token at all failed to authorize, too.
  return err(ssfRefusal({ status: status === 400 ? 401 : status, err: code, description }, headers))
}
