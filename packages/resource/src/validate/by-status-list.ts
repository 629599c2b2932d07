/** Judges a token by its status list, where the revocation view cannot. */
import { statusReference } from '@grantor/protocol/status-list'
import type { TrustedIssuer } from '../issuer/trusted-issuers.ts'
import type { ListedStatus } from '../status-list/status-lists.ts'
import type { Caller } from './caller.ts'
import { accepted, type Finding, refused } from './finding.ts'
import type { ListQuestion } from './judge.ts'
import { rejection } from './rejections.ts'
import type { VerifiedToken } from './verified-token.ts'

/** A token whose status is unknown gets the verdict `otherwise`. */
export function byStatusList(
  verified: VerifiedToken,
  { reference, otherwise }: ListQuestion,
): Finding | Promise<Finding> {
  const conclude = (status: ListedStatus): Finding => {
    if (status === 'invalid') return refused(rejection('token_revoked'), 'list', verified)
    // The key set was read together with the list.
    if (verified.key?.present === false) return refused(rejection('unknown_signing_key'), 'list', verified)
    if (status === 'valid' || otherwise === null) return accepted(verified, 'list')
    return refused(otherwise, 'list', verified)
  }
  const status = verified.issuer.statusLists?.statusOf(reference) ?? 'unknown'
  return status instanceof Promise ? status.then(conclude) : conclude(status)
}

/** Whether a list in memory, however old, says that the token of this caller is invalid. */
export function isListedInvalid({ claims }: Caller, { statusLists }: TrustedIssuer): boolean {
  const reference = statusReference(claims)
  return reference !== null && statusLists?.isKnownInvalid(reference) === true
}
