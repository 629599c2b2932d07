/**
 * The user code (CIBA §7.1): a code that applications must send before the person is asked, so that strangers cannot
 * cause requests. A wrong code, a missing one and an unknown person get the same answer, after the same work.
 */
import type { BackchannelRequest } from '@grantor/protocol/authorize'
import type { Refusal } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { Client } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Store } from '@grantor/store'
import { type CountedLimits, limitReached } from '../limits/limits.ts'
import { checkPassword } from '../people/password.ts'
import type { Ids } from '../ports/environment.ts'
import { hintKey } from './hint-limit.ts'

export interface UserCodeCheckDependencies {
  readonly ids: Pick<Ids, 'handleOf'>
  readonly limits: CountedLimits
  readonly store: Pick<Store, 'backchannel'>
}

interface AskedPerson {
  readonly person: Person | null
  readonly unasked: 'user_code_missing' | null
}

export async function checkUserCode(
  person: Person | null,
  { asked, client }: { readonly asked: BackchannelRequest; readonly client: Client },
  { ids, limits, store }: UserCodeCheckDependencies,
): Promise<Result<AskedPerson, Refusal>> {
  const { tenant, metadata } = client
  const hash = await store.backchannel.userCodeHash(tenant, person?.id ?? '')
  if (metadata.backchannel_user_code_parameter !== true) {
    // An error about a missing code would reveal that a person with a code exists.
    return ok(hash === null ? { person, unasked: null } : { person: null, unasked: 'user_code_missing' })
  }
  const { userCode, hint } = asked
  if (userCode === null) return err({ reason: 'user_code_missing' })
  const key = `${tenant} ${hintKey(hint, ids)}`
  const over = limitReached(await limits.take('backchannelUserCode', key))
  if (over !== null) return over
  if (!(await checkPassword(hash, userCode))) return err({ reason: 'user_code_wrong' })
  await limits.giveBack([['backchannelUserCode', key]])
  return ok({ person, unasked: null })
}
