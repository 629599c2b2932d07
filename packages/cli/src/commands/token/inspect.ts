/** `grantor token inspect` */
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { fieldsOf } from '../../documents/client.ts'
import { done, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import { timestamp } from '../../output/time.ts'
import type { Verb } from '../../program/command.ts'
import { givenToken, tokenArg } from './token-input.ts'

export const tokenInspect: Verb = {
  name: 'inspect',
  says: 'show what a token is and whether it lives',
  args: [tokenArg],
  tenant: true,
  run: async (call) => {
    const token = await givenToken(call)
    if (typeof token !== 'string') return token
    return withTenant(call, async ({ authority }) => {
      const read = await authority.admin.tokens.inspect(call.tenant, token)
      if (!read.ok) return refused(read.refusal)
      const document = shown(read.value)
      await call.out.record(document, fieldsOf(document))
      return done
    })
  },
}

/** Claims keep their seconds, as they stand in the token; our own memory of its end is a time like any other here. */
function shown(document: JsonObject): JsonObject {
  const at = document['revoked_at']
  return typeof at === 'number' ? { ...document, revoked_at: timestamp(at as Instant) } : document
}
