/** Limits how often a client may use the same hint. */
import type { BackchannelHint } from '@grantor/protocol/authorize'
import { emailKey } from '@grantor/protocol/people'
import type { Client } from '@grantor/protocol/registration'
import { type CountedLimits, limitReached } from '../limits/limits.ts'
import type { Ids } from '../ports/environment.ts'
import { readToken } from '../trust/examine-token.ts'

export interface HintLimitDependencies {
  readonly ids: Pick<Ids, 'handleOf'>
  readonly limits: CountedLimits
}

/**
 * The key of a hint, taken from its unverified content: a token that is issued anew for the same person, as with every
 * refresh, has the same key.
 */
export function hintKey({ name, value }: BackchannelHint, { handleOf }: Pick<Ids, 'handleOf'>): string {
  const claims = name === 'login_hint' ? undefined : readToken(value)?.claims
  return handleOf(claims === undefined ? emailKey(value) : JSON.stringify([name, claims['iss'], claims['sub']]))
}

/**
 * Limits how often a client can ask for one person. Counted by the content of the hint: counting by person would reveal
 * which hints name the same one.
 */
export async function hintLimitReached(
  hint: BackchannelHint,
  { tenant, id }: Client,
  { ids, limits }: HintLimitDependencies,
) {
  return limitReached(await limits.take('backchannelHint', `${tenant} ${id} ${hintKey(hint, ids)}`))
}
