/** What a route does when the revocation state is too old to judge by. */
import type { StalePolicy } from '../validate/presented-credentials.ts'
import type { Validator } from '../validate/validator.ts'

/** Throws: whoever serves beyond the bound has to say for how long, so that receipts of revocations count with it. */
export function checkedStalePolicy<P extends StalePolicy | undefined>(
  validator: Validator,
  policy: P,
  where: string,
): P {
  if (policy === 'serve' && validator.servesStale === false)
    throw new Error(`${where}: \`serve\` needs \`serveStaleFor\` of its validator`)
  return policy
}
