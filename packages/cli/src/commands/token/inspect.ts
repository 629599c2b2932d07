/** `grantor token inspect` */
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { fieldsOf } from '../../documents/client.ts'
import { timestamp } from '../../output/time.ts'
import type { Command } from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { readToken, tokenArgument } from './token-input.ts'

export const tokenInspect: Command = {
  name: 'inspect',
  description: 'show what a token is and whether it lives',
  args: [tokenArgument],
  tenant: true,
  run: async (context) => {
    const token = await readToken(context)
    if (token.kind === 'error') return token
    return withTenant(context, async ({ authority }) => {
      const read = await authority.admin.tokens.inspect(context.tenant, token.value)
      if (read.kind === 'error') return adminFailure(read.error)
      const document = tokenDocument(read.value)
      await context.out.record(document, fieldsOf(document))
      return done
    })
  },
}

/** Claims keep their seconds as in the token; our own `revoked_at` is shown like other times. */
function tokenDocument(document: JsonObject): JsonObject {
  const at = document['revoked_at']
  return typeof at === 'number' ? { ...document, revoked_at: timestamp(at as Instant) } : document
}
