/** What new passwords must be, out of the settings. */
import type { PasswordPolicy } from '@grantor/authority'
import { breachedListProblem, isBreachedList, isOnList } from '../breached-passwords.ts'
import { StartError } from '../start-error.ts'
import type { Settings } from './settings.ts'

/** A list that cannot be read or is none is found at the start, not by the first person who chooses a password. */
export async function passwordPolicyFrom({
  passwordLength,
  breachedPasswords: list,
}: Settings): Promise<PasswordPolicy> {
  if (list === null) return { leastLength: passwordLength, isBreached: async () => false }
  const isList = await isBreachedList(list).catch((cause: unknown) => {
    throw new StartError(`password.breached_list cannot be read: ${list}`, { cause })
  })
  if (!isList) throw new StartError(`password.breached_list ${breachedListProblem}: ${list}`)
  return { leastLength: passwordLength, isBreached: (password) => isOnList(list, password) }
}
