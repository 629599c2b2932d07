/** Passwords: argon2id at or above OWASP's minimum, hashed and checked off the main thread (hashing-queue.ts). */
import { type HashingCost, HashingQueue } from './hashing-queue.ts'

/** OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. Raising it rehashes at the next sign-in. */
// 2 is argon2id: the package's constant is an ambient enum, which a stripped import cannot reach.
const cost: HashingCost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One queue per process, because the cores are shared. */
const queue = new HashingQueue()

/** The longest password: longer input is refused before it is hashed. */
export const maxPasswordLength = 512
export const minPasswordLength = 8

/**
 * RFC 8265 §4.2.2: normalises the different encodings of the same letters. NFC and not NFKC, which would turn ² into 2
 * and ﬁ into fi: letters that a person can tell apart stay different, and nothing of the chosen password is lost.
 */
const normalised = (password: string): string => password.normalize('NFC')

export const hashPassword = async (password: string): Promise<string> =>
  String(await queue.run({ password: normalised(password), cost }))

let decoy: Promise<string> | null = null

/** Hashed once; if that failed, again with the next call. */
async function decoyHash(): Promise<string> {
  decoy ??= hashPassword('nobody has this password')
  return decoy.catch((cause: unknown) => {
    decoy = null
    throw cause
  })
}

/**
 * A hash from before passwords were normalised was made of the typed form, so both forms are checked where they differ.
 */
const spellings = (typed: string): ReadonlySet<string> => new Set([normalised(typed), typed])

/** A person without a password costs the same work as one with a wrong one. */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  const nobodys = await decoyHash()
  let matches = false
  for (const spelling of spellings(password.slice(0, maxPasswordLength)))
    matches = (await queue.run({ stored: stored ?? nobodys, password: spelling })) === true || matches
  return matches && stored !== null && password.length <= maxPasswordLength
}

/** Whether a stored hash was made with a lower cost than the current one. */
export function isWeak(stored: string): boolean {
  const [, m = 0, t = 0] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(stored)?.map(Number) ?? []
  return m < cost.memoryCost || t < cost.timeCost
}

/** Requirements for a new password, besides not being the name of its account. */
export interface PasswordPolicy {
  /** The fewest characters. */
  readonly leastLength: number
  /** Whether the password is on the operator's list of breached passwords. */
  isBreached(password: string): Promise<boolean>
}

/** Length is what counts (NIST SP 800-63B §5.1.1.2). */
export const usualPasswords: PasswordPolicy = { leastLength: minPasswordLength, isBreached: async () => false }

export type PasswordProblem = 'too_short' | 'too_long' | 'is_name' | 'breached'

/** The problem of a new password; null where it has none. */
export async function passwordProblem(
  typed: string,
  username: string,
  policy: PasswordPolicy,
): Promise<PasswordProblem | null> {
  const formal = passwordFormProblem(typed, username, policy)
  if (formal !== null) return formal
  return (await policy.isBreached(normalised(typed))) ? 'breached' : null
}

/** The problems that can be found without a lookup. */
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

/** The problem as a text for operators, in a file or a command. */
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
