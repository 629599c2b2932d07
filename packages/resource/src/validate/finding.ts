/** What a check of a token found: the verdict, how it was reached, and of whom. */
import { err, type Result } from '@grantor/protocol/result'
import type { Caller } from './caller.ts'
import type { Rejection } from './rejections.ts'
import type { VerifiedToken } from './verified-token.ts'

export type Verdict = Result<Caller, Rejection>

/** How a token was judged: by what was known of it, by its signature, by asking its issuer, or by a status list. */
export type Path = 'cache' | 'local' | 'introspect' | 'list'
export const pathLabels = {
  local: { path: 'local' },
  introspect: { path: 'introspect' },
  list: { path: 'status_list' },
} as const
/** What a check says, and of whom, if the token was proven. */
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
