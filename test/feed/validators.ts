/** Validators of an API beside real server processes, with a clock that can be moved ahead. */
import type { Instant } from '@grantor/protocol/types'
import { createValidator, type IssuerOptions, systemTime, type Time, type Validator } from '@grantor/resource'
import type { HttpClient } from '../faults/http-client.ts'
import { seed as base, service, tokenIn } from '../faults/service-client.ts'

export const api = 'https://api.example'
/** The client that reads the feed. */
export const reader = ['reader', 'zz9canary-reader-secret-of-32-characters'] as const

export const seed = {
  ...base,
  clients: [
    ...base.clients,
    {
      client_id: reader[0],
      client_secret: reader[1],
      grant_types: ['client_credentials'],
      response_types: [],
      scope: 'revocations:read events:report',
      resource_server: api,
    },
  ],
}
export { service }

/** A token of the client that reads the feed. */
export const readerToken = async ({ send }: HttpClient, scope: string): Promise<string> =>
  tokenIn(await send('/token', { basic: reader, form: { grant_type: 'client_credentials', scope } }))

export interface TestValidator extends AsyncDisposable {
  readonly validator: Validator
  /** The code of a refusal; 'accepted' for a good token. */
  verdict(token: string): Promise<string>
  /** Lets the monotonic clock jump: as if this long had passed without a word. */
  letPass(milliseconds: number): void
}

export function startValidator(
  issuer: string,
  ca: string | null,
  feed: NonNullable<IssuerOptions['feed']> = {},
): TestValidator {
  let ahead = 0
  const time: Time = {
    ...systemTime,
    now: () => Date.now() as Instant,
    monotonic: () => performance.now() + ahead,
  }
  const credentials = { clientId: reader[0], clientSecret: reader[1] }
  const validator = createValidator({
    audience: api,
    issuers: [{ issuer, credentials, feed }],
    time,
    ca: ca ?? '',
  })
  return {
    validator,
    async verdict(token) {
      const verdict = await validator.validate({ authorization: `Bearer ${token}` })
      return verdict.kind === 'ok' ? 'accepted' : verdict.error.code
    },
    letPass: (milliseconds) => void (ahead += milliseconds),
    [Symbol.asyncDispose]: () => validator.close(),
  }
}

/** Looks again until it is so; the bound is for what is broken, not a measurement. */
export async function eventually(is: () => Promise<boolean>, what: string, bound = 60_000): Promise<void> {
  const deadline = performance.now() + bound
  while (!(await is())) {
    if (performance.now() > deadline) throw new Error(`not within ${bound} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
