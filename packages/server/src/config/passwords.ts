/** The policy for new passwords from the settings. */
import type { PasswordPolicy } from '@grantor/authority'
import { breachedListProblem, isBreachedList, isOnList } from '../breached-passwords.ts'
import { StartError } from '../start-error.ts'
import type { Settings } from './settings.ts'

/** Checks the list at the start, so that an unusable one is not found only when a person chooses a password. */
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
