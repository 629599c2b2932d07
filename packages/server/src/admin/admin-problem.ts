/** Translates results of administrative acts to those of a resource API, and callers to actors of events. */
import type { PartOfList, StoredResource } from '@grantor/api'
import type { AdminError, AdminResult, FieldProblem } from '@grantor/authority'
import type { Actor } from '@grantor/protocol/events'
import { type RequestFault, pointerTo, problem, type Problem, type Scalar } from '@grantor/protocol/http'
import type { Caller } from '@grantor/resource'

/**
 * Callers at the machine itself, without a token. Identified by object, so that no claim of a token can imitate them.
 */
const operators = new WeakMap<Caller, Actor>()

export function operatorCaller(caller: Caller, actor: Actor): Caller {
  operators.set(caller, actor)
  return caller
}

/** A token with a grant acts for a person, any other for its client. */
export function actorOf(caller: Caller): Actor {
  const { grantId, subject, clientId } = caller
  const byToken: Actor = grantId === null ? { kind: 'client', id: clientId } : { kind: 'user', id: subject }
  return operators.get(caller) ?? byToken
}

// oxlint-disable-next-line typescript/consistent-return -- the switch is exhaustive; the compiler would say so
export function adminProblem(error: AdminError): Problem {
  switch (error.reason) {
    case 'invalid':
      return problem('validation-error', 'Some fields are not acceptable.', { errors: error.problems.map(fault) })
    case 'absent':
      return problem('not-found', 'There is no such resource.')
    case 'exists':
      return problem('conflict', 'There is one of this name already.')
    case 'unreadable':
      return problem(
        'conflict',
        'It is there and cannot be read, so it counts as absent. Declare it anew, or delete it on the command line.',
        { code: 'unreadable' },
      )
    case 'forbidden':
      return problem('forbidden', 'You may not do this to this resource.')
    case 'last-owner':
      return problem('conflict', 'This is the last owner. Make somebody else an owner first.', { code: 'last_owner' })
    case 'conflict':
      return problem('conflict', sentence(error.what))
    case 'unavailable':
      return problem('temporary-reduced-capacity', 'The service cannot answer right now.', {
        headers: { 'retry-after': '2' },
      })
  }
}

const sentence = (what: string): string => `${what.charAt(0).toUpperCase()}${what.slice(1)}.`

/** `redirect_uris[0]` is `#/redirect_uris/0`. */
const fault = ({ field, problem: detail }: FieldProblem): RequestFault => ({
  pointer: pointerTo(field.split(/[.[\]]+/).filter((part) => part !== '')),
  code: 'invalid',
  detail,
})

/** The problem of a list whose filters cannot be combined or read. */
export const invalidFilter = (parameters: readonly string[], detail: string): Problem =>
  problem('validation-error', 'The query does not fit this operation.', {
    code: 'invalid_parameter',
    errors: parameters.map((parameter) => ({ parameter, code: 'invalid', detail })),
  })

/** For `list`. */
export const listed = <T, R>(result: AdminResult<readonly T[]>, show: (it: T) => R): readonly R[] | Problem =>
  result.kind === 'ok' ? result.value.map((it) => show(it)) : adminProblem(result.error)

/** The same for a search that may be partial. Both searched lists are sorted by one field. */
export function searched<T, R>(
  result: AdminResult<{ readonly found: readonly T[]; readonly resumesAfter: Scalar | null }>,
  show: (it: T) => StoredResource<R>,
): readonly StoredResource<R>[] | PartOfList<R> | Problem {
  if (result.kind === 'error') return adminProblem(result.error)
  const { found: them, resumesAfter } = result.value
  const items = them.map((it) => show(it))
  return resumesAfter === null ? items : { items, resumesAfter: [resumesAfter] }
}

/** For `get`: null is 404. */
export function found<T, R>(result: AdminResult<T>, show: (it: T) => R): R | Problem | null {
  if (result.kind === 'ok') return show(result.value)
  return result.error.reason === 'absent' ? null : adminProblem(result.error)
}

/** For `remove`: a resource that is gone or was changed no longer has the expected version. */
export function removed(result: AdminResult<unknown>): 'removed' | 'changed' | Problem {
  if (result.kind === 'ok') return 'removed'
  const { reason } = result.error
  return reason === 'absent' || reason === 'conflict' ? 'changed' : adminProblem(result.error)
}
