/** Conditions of a write: RFC 9110 §13 (412), RFC 6585 §3 (428). */
import {
  type Conditions,
  evaluateConditions,
  isConditionalWrite,
  problem,
  type Problem,
  writeTag,
} from '@grantor/protocol/http'
import type { OperationRequest } from './operation-request.ts'
import { type Resource, selectedRepresentation } from './resource.ts'

/** RFC 6585 §3: 428 where a change must name the version it is based on. Checked last, like 412. */
export function failedPrecondition({ route, method, input }: OperationRequest, held: Resource | null): Problem | null {
  const { concurrency } = route.collection
  if (concurrency === 'off') return null
  const { conditions } = input
  if (concurrency === 'required' && !isConditionalWrite(conditions)) return preconditionMissing(held)
  const outcome = evaluateConditions(method, conditions, held === null ? null : selectedRepresentation(held))
  return outcome === 'proceed' ? null : preconditionFailed(held)
}

/** RFC 9110 §13.1.1: an action is refused if its stated condition on the item fails. Conditions are never required. */
export function failedItemCondition({ route, method, input }: OperationRequest, item: Resource): Problem | null {
  if (route.collection.concurrency === 'off') return null
  const stated = { ...input.conditions, ifNoneMatch: null }
  return evaluateConditions(method, stated, selectedRepresentation(item)) === 'proceed'
    ? null
    : preconditionFailed(item)
}

/**
 * Whether conditions bind the request to one state of the resource, so that it fails after a lost race. `*` does not.
 */
export function isConditional({ ifMatch, ifNoneMatch, ifUnmodifiedSince }: Conditions): boolean {
  return (ifMatch !== null && ifMatch !== '*') || ifNoneMatch !== null || ifUnmodifiedSince !== null
}

export function preconditionFailed(held: Resource | null): Problem {
  return problem('precondition-failed', 'The resource is not in the state the request is based on.', {
    headers: held === null ? {} : { etag: writeTag(selectedRepresentation(held).etag) },
  })
}

function preconditionMissing(held: Resource | null): Problem {
  const header = held === null ? 'if-none-match' : 'if-match'
  const detail = held === null ? 'Send If-None-Match: *.' : 'Send If-Match with the ETag the change is based on.'
  return problem('precondition-required', detail, { errors: [{ header, code: 'required', detail }] })
}
