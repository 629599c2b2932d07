/** The guard alone, for routes that are not collections: token and scope, and the answer where they do not suffice. */
import { randomUUID } from 'node:crypto'
import { isProblem, type Problem } from '@grantor/protocol'
import {
  type Challenge,
  checkedNeed,
  hasScope,
  insufficientScope,
  rejectionProblem,
  scopeProblem,
  type ScopeNeed,
} from './guard.ts'
import type { ApiResponse } from './http.ts'
import { metadataUrl } from './metadata.ts'
import type { Presented } from './presented.ts'
import { rendered } from './render.ts'
import type { Caller, Validator, Verdict } from './validator.ts'

export interface ProtectOptions {
  readonly validator: Validator
  /** The resource identifier, an https URL. */
  readonly audience: string
  readonly realm?: string
  readonly insufficientScopeStatus?: 401 | 403
}

export type Admission = { readonly caller: Caller } | { readonly refused: ApiResponse }

export interface Protection {
  /** Synchronous where the validator is: a warm token costs no turn of the event loop. */
  admit(presented: Presented, method: string): Admission | Promise<Admission>
}

export function protection(options: ProtectOptions, need: ScopeNeed): Protection {
  const { validator, audience, realm = 'api', insufficientScopeStatus = 401 } = options
  const scope = checkedNeed(need, 'a protected route')
  const { origin } = new URL(audience)
  const challenge: Challenge = { realm, resourceMetadata: metadataUrl(audience), insufficientScopeStatus }

  function judged(verdict: Verdict): Caller | Problem {
    if (!verdict.ok) return rejectionProblem(verdict.rejection, challenge)
    if (hasScope(scope, verdict.caller.scope)) return verdict.caller
    validator.record(insufficientScope, verdict.caller)
    return scopeProblem(scope, verdict.caller, challenge)
  }

  return {
    admit(presented, method) {
      const settle = (verdict: Verdict): Admission => {
        const caller = judged(verdict)
        if (!isProblem(caller)) return { caller }
        return { refused: rendered(caller, method, { origin, requestId: randomUUID() }) }
      }
      const verdict = validator.validate(presented)
      return verdict instanceof Promise ? verdict.then(settle) : settle(verdict)
    },
  }
}
