/** `grantor registration-token list` */
import { done, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import { shortTime, timestamp, timestampOrNull } from '../../output/time.ts'
import type { Verb } from '../../program/command.ts'

export const registrationTokenList: Verb = {
  name: 'list',
  says: 'list the tokens that let somebody register clients',
  tenant: true,
  run: (call) =>
    withTenant(call, async ({ authority }) => {
      const read = await authority.admin.registrationTokens.list(call.tenant)
      if (!read.ok) return refused(read.refusal)
      const documents = read.value.map(({ id, createdAt, expiresAt, usesLeft }) => ({
        id,
        created_at: timestamp(createdAt),
        expires_at: timestampOrNull(expiresAt),
        uses_left: usesLeft,
      }))
      await call.out.list(documents, {
        columns: ['TOKEN', 'CREATED', 'EXPIRES', 'USES LEFT'],
        rows: read.value.map(({ id, createdAt, expiresAt, usesLeft }) => [
          id,
          shortTime(createdAt),
          expiresAt === null ? 'never' : shortTime(expiresAt),
          usesLeft ?? 'any',
        ]),
        empty: 'no registration tokens',
      })
      return done
    }),
}
