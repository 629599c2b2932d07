/** What `/health` says: that the process lives, whether it can judge tokens, and why not. */
import { problem } from '@grantor/protocol/http'
import { err, ok } from '@grantor/protocol/result'
import { type IssuerFault, issuerFaultReasons } from '@grantor/resource'
import { apiResponse, type Reply } from '@grantor/resource/http'

const health = { 'content-type': 'application/json', 'cache-control': 'no-store' }
export const liveReply = ok(apiResponse(200, health, '{"status":"ok"}'))

/** A public page: the kind of fault, not what the operator's log says of it. */
export function readyReply(ready: boolean, faults: readonly IssuerFault[]): Reply {
  const reasons = faults.map(({ issuer, code }) => ({ issuer, code, reason: issuerFaultReasons[code] }))
  if (ready && reasons.length === 0) return liveReply
  if (ready) return ok(apiResponse(200, health, JSON.stringify({ status: 'ok', faults: reasons })))
  return err(
    problem('authorization-state-unavailable', 'Keys or revocation state are not here yet.', {
      headers: { 'retry-after': '1' },
      ...(reasons.length === 0 ? {} : { members: { faults: reasons } }),
    }),
  )
}
