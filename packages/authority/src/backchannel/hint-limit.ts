/** How often a client may ask for one hint. */
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
 * Whom a hint means by what it says itself, before anything of it is believed: a token that is made anew for the same
 * person, as with every refresh, says the same.
 */
export function hintKey({ name, value }: BackchannelHint, { handleOf }: Pick<Ids, 'handleOf'>): string {
  const claims = name === 'login_hint' ? undefined : readToken(value)?.claims
  return handleOf(claims === undefined ? emailKey(value) : JSON.stringify([name, claims['iss'], claims['sub']]))
}

/**
 * A client cannot ask for one person as often as it likes. Counted by what the hint says, whoever it means: a count by
 * person would tell which hints mean the same one.
 */
export async function hintLimitReached(
  hint: BackchannelHint,
  { tenant, id }: Client,
  { ids, limits }: HintLimitDependencies,
) {
  return limitReached(await limits.take('backchannelHint', `${tenant} ${id} ${hintKey(hint, ids)}`))
}
