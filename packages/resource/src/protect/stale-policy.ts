/** Checks what a route is to do when the revocation state is too old to judge by. */
import type { StalePolicy } from '../validate/presented-credentials.ts'
import type { Validator } from '../validate/validator.ts'

/** Throws where `serve` is used without `serveStaleFor`: receipts of revocations must allow for that time. */
export function checkedStalePolicy<P extends StalePolicy | undefined>(
  validator: Validator,
  policy: P,
  where: string,
): P {
  if (policy === 'serve' && validator.servesStale === false)
    throw new Error(`${where}: \`serve\` needs \`serveStaleFor\` of its validator`)
  return policy
}
