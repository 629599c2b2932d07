/** `grantor registration-token list` */
import type { RegistrationToken } from '@grantor/store'
import { shortTime, timestamp, timestampOrNull } from '../../output/time.ts'
import type { Command } from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { done } from '../../program/exit.ts'
import { readAllPages } from '../../program/pages.ts'

export const registrationTokenList: Command = {
  name: 'list',
  description: 'list the tokens that let somebody register clients',
  tenant: true,
  run: (context) =>
    withTenant(context, async ({ authority }) => {
      const tokens = await readAllPages<RegistrationToken>((page) =>
        authority.admin.registrationTokens.list(context.tenant, page),
      )
      if (tokens.kind === 'error') return tokens
      const documents = tokens.value.map(({ id, createdAt, expiresAt, usesLeft }) => ({
        id,
        created_at: timestamp(createdAt),
        expires_at: timestampOrNull(expiresAt),
        uses_left: usesLeft,
      }))
      await context.out.list(documents, {
        columns: ['TOKEN', 'CREATED', 'EXPIRES', 'USES LEFT'],
        rows: tokens.value.map(({ id, createdAt, expiresAt, usesLeft }) => [
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
