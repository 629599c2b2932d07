/** `grantor token inspect` */
import { fieldsOf } from '../../documents/client.ts'
import { done, refused } from '../../ending.ts'
import { withHouse } from '../../house.ts'
import type { Verb } from '../../verb.ts'
import { givenToken, tokenArg } from './given.ts'

export const tokenInspect: Verb = {
  name: 'inspect',
  says: 'show what a token is and whether it lives',
  args: [tokenArg],
  tenant: true,
  run: async (call) => {
    const token = await givenToken(call)
    if (typeof token !== 'string') return token
    return withHouse(call, async ({ authority }) => {
      const read = await authority.admin.tokens.inspect(call.tenant, token)
      if (!read.ok) return refused(read.refusal)
      await call.out.record(read.value, fieldsOf(read.value))
      return done
    })
  },
}
