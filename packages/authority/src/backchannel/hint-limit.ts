/** How often a client may ask for one hint. */
import type { BackchannelHint } from '@grantor/protocol/authorize'
import type { Client } from '@grantor/protocol/registration'
import { type CountedLimits, limitReached } from '../limits/limits.ts'
import type { Ids } from '../ports/environment.ts'

export interface HintLimitDependencies {
  readonly ids: Pick<Ids, 'handleOf'>
  readonly limits: CountedLimits
}

/**
 * A client cannot ask for one person as often as it likes. Counted by the hint as it was sent, whoever it means: a count
 * by person would tell which hints mean the same one.
 */
export async function hintLimitReached(
  { value }: BackchannelHint,
  { tenant, id }: Client,
  { ids, limits }: HintLimitDependencies,
) {
  const key = `${tenant} ${id} ${ids.handleOf(value.toLowerCase())}`
  return limitReached(await limits.take('backchannelHint', key))
}
