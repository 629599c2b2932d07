/** Passwords: argon2id at or above OWASP's minimum, made and checked off the main thread (hashing-queue.ts). */
import { type HashingCost, HashingQueue } from './hashing-queue.ts'

/** OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. Raising it rehashes at the next sign-in. */
// 2 is argon2id: the package's constant is an ambient enum, which a stripped import cannot reach.
const cost: HashingCost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One for the process, because its cores are. */
const queue = new HashingQueue()

/** Longer input is refused before it is hashed: nobody's password is a file. */
export const maxPasswordLength = 512
export const minPasswordLength = 8

/**
 * RFC 8265 §4.2.2: one form for the ways in which keyboards write the same letters. NFC and not NFKC, which would take
 * ² for 2 and ﬁ for fi: letters that a person can tell apart stay apart, and nothing of what was chosen is lost.
 */
const normalised = (password: string): string => password.normalize('NFC')

export const hashPassword = async (password: string): Promise<string> =>
  String(await queue.run({ password: normalised(password), cost }))

let decoy: Promise<string> | null = null

/** Made once; where it could not be made, with the next one. */
async function decoyHash(): Promise<string> {
  decoy ??= hashPassword('nobody has this password')
  return decoy.catch((cause: unknown) => {
    decoy = null
    throw cause
  })
}

/** A hash that was made before passwords were normalised holds what was typed; so both count, where they differ. */
const spellings = (typed: string): ReadonlySet<string> => new Set([normalised(typed), typed])

/** A person without a password costs the same work as one with a wrong one. */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  const nobodys = await decoyHash()
  let matches = false
  for (const spelling of spellings(password.slice(0, maxPasswordLength)))
    matches = (await queue.run({ stored: stored ?? nobodys, password: spelling })) === true || matches
  return matches && stored !== null && password.length <= maxPasswordLength
}

/** Whether a stored hash was made with less work than is asked for now. */
export function isWeak(stored: string): boolean {
  const [, m = 0, t = 0] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(stored)?.map(Number) ?? []
  return m < cost.memoryCost || t < cost.timeCost
}

/** What a new password must be, beside not being the name of its account. */
export interface PasswordPolicy {
  /** Fewest characters. */
  readonly leastLength: number
  /** Whether it stands on the operator's list of passwords known from breaches. */
  isBreached(password: string): Promise<boolean>
}

/** Length is what counts (NIST SP 800-63B §5.1.1.2). */
export const usualPasswords: PasswordPolicy = { leastLength: minPasswordLength, isBreached: async () => false }

export type PasswordProblem = 'too_short' | 'too_long' | 'is_name' | 'breached'

/** What is wrong with a new password; null when nothing is. */
export async function passwordProblem(
  typed: string,
  username: string,
  policy: PasswordPolicy,
): Promise<PasswordProblem | null> {
  const formal = passwordFormProblem(typed, username, policy)
  if (formal !== null) return formal
  return (await policy.isBreached(normalised(typed))) ? 'breached' : null
}

/** As far as it shows without looking anything up. */
export function passwordFormProblem(
  typed: string,
  username: string,
  { leastLength }: Pick<PasswordPolicy, 'leastLength'>,
): PasswordProblem | null {
  const password = normalised(typed)
  if (password.length < leastLength) return 'too_short'
  if (password.length > maxPasswordLength) return 'too_long'
  return password.toLowerCase() === normalised(username).toLowerCase() ? 'is_name' : null
}

/** As an operator reads it in a file or a command. */
export function passwordProblemText(
  problem: PasswordProblem,
  { leastLength }: Pick<PasswordPolicy, 'leastLength'>,
): string {
  return {
    too_short: `must have ${leastLength} characters or more`,
    too_long: `must not have more than ${maxPasswordLength} characters`,
    is_name: 'must not be the name of the account',
    breached: 'is known from a breach of another service',
  }[problem]
}
