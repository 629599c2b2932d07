/** The answers of `/health`: that the process is alive, whether it can validate tokens, and if not, why. */
import { problem } from '@grantor/protocol/http'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { issuerFaultReasons, type StalePolicy, type Validator } from '@grantor/resource'
import { apiResponse, type Reply } from '@grantor/resource/http'

const health = { 'content-type': 'application/json', 'cache-control': 'no-store' }
export const liveReply = ok(apiResponse(200, health, '{"status":"ok"}'))

/** A public page: the kind of fault, not what the operator's log says of it. `policies`: of the routes, for a stale state. */
export function readyReply(
  validator: Pick<Validator, 'ready' | 'canAccept' | 'faults'>,
  policies: readonly StalePolicy[] = [],
): Reply {
  const faults = validator.faults?.() ?? []
  const reasons = faults.map(({ issuer, code }) => ({ issuer, code, reason: issuerFaultReasons[code] }))
  if (!validator.ready()) return notReady('Keys or revocation state are not here yet.', reasons)
  if (validator.canAccept?.(policies) === false)
    return notReady('Nothing was heard of revocations for so long that no token can be accepted.', reasons)
  return reasons.length === 0
    ? liveReply
    : ok(apiResponse(200, health, JSON.stringify({ status: 'ok', faults: reasons })))
}

/** Whoever sends requests here should send them elsewhere. */
function notReady(detail: string, faults: readonly JsonObject[]): Reply {
  return err(
    problem('authorization-state-unavailable', detail, {
      headers: { 'retry-after': '1' },
      ...(faults.length === 0 ? {} : { members: { faults } }),
    }),
  )
}
