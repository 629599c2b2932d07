/** `grantor registration-token list` */
import { shortTime, timestamp, timestampOrNull } from '../../output/time.ts'
import type { Command } from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'

export const registrationTokenList: Command = {
  name: 'list',
  description: 'list the tokens that let somebody register clients',
  tenant: true,
  run: (context) =>
    withTenant(context, async ({ authority }) => {
      const read = await authority.admin.registrationTokens.list(context.tenant)
      if (read.kind === 'error') return adminFailure(read.error)
      const documents = read.value.map(({ id, createdAt, expiresAt, usesLeft }) => ({
        id,
        created_at: timestamp(createdAt),
        expires_at: timestampOrNull(expiresAt),
        uses_left: usesLeft,
      }))
      await context.out.list(documents, {
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
