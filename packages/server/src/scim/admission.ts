/** Whether a request may use the SCIM service: a token or a key of this issuer, with the scope that its method needs. */
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Caller } from '@grantor/resource'
import { signInChallenge } from '../admin/rights/step-up.ts'
import { type AdmissionContext, admitByToken, type AskedByToken } from '../token-admission.ts'
import { keyVerdict } from './key-verdict.ts'
import { type ScimAnswer, scimRefusal } from './scim-responder.ts'

export type ScimContext = AdmissionContext
export type ReceivedScim = AskedByToken
export type ScimScope = 'scim:read' | 'scim:write'

export async function admit(
  received: ReceivedScim,
  scope: ScimScope,
  context: ScimContext,
): Promise<Result<Caller, ScimAnswer>> {
  const { tenant, request } = received
  const home = { tenant, issuer: context.issuer.of(tenant), ip: request.ip }
  const admitted = await admitByToken(
    received,
    {
      realm: 'scim',
      scope,
      may: (caller) => caller.scope.has(scope),
      instead: (presented) => keyVerdict(presented, home, context.authority),
    },
    context,
  )
  if (admitted.kind === 'error') return err(scimRefusal(admitted.error, admitted.error.headers))
  // Writing here sets passwords and addresses, for which the admin API also challenges people.
  const challenge = scope === 'scim:write' ? signInChallenge(admitted.value, context.authority.proofs.now()) : null
  return challenge === null ? ok(admitted.value) : err(scimRefusal(challenge, challenge.headers))
}
