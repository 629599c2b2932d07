/** The result of a token check: the verdict, how it was reached, and the token if it was proven. */
import { err, type Result } from '@grantor/protocol/result'
import type { Caller } from './caller.ts'
import type { Rejection } from './rejections.ts'
import type { VerifiedToken } from './verified-token.ts'

export type Verdict = Result<Caller, Rejection>

/** How a token was judged: from the cache, by its signature, by introspection, or by a status list. */
export type Path = 'cache' | 'local' | 'introspect' | 'list'
export const pathLabels = {
  local: { path: 'local' },
  introspect: { path: 'introspect' },
  list: { path: 'status_list' },
} as const
/** `verified` is null unless the token was proven genuine. */
export interface Finding {
  readonly path: Path
  readonly verdict: Verdict
  readonly verified: VerifiedToken | null
}

export function refused(rejection: Rejection, path: Path = 'local', verified: VerifiedToken | null = null): Finding {
  return { path, verdict: err(rejection), verified }
}

export function accepted(verified: VerifiedToken, path: Path): Finding {
  return { path, verdict: verified.accepted, verified }
}
