/** `grantor key list` */
import { shortTime, shortTimeOrNull, timestamp, timestampOrNull } from '../../output/time.ts'
import type { Command } from '../../program/command.ts'
import { withExistingTenant } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'

export const keyList: Command = {
  name: 'list',
  description: 'list the signing keys of a tenant and where each is in its life',
  tenant: true,
  run: (context) =>
    withExistingTenant(context, async ({ authority }) => {
      const read = await authority.admin.keys.list(context.tenant)
      if (read.kind === 'error') return adminFailure(read.error)
      const documents = read.value.map((key) => ({
        kid: key.kid,
        alg: key.alg,
        state: key.state,
        generation: key.generation,
        published_at: timestamp(key.publishedAt),
        activates_at: timestamp(key.activatesAt),
        dropped_at: timestampOrNull(key.droppedAt),
        public_jwk: key.publicJwk,
      }))
      await context.out.list(documents, {
        columns: ['KID', 'ALG', 'STATE', 'PUBLISHED', 'SIGNS FROM', 'DROPPED'],
        rows: read.value.map((key) => [
          key.kid,
          key.alg,
          key.state,
          shortTime(key.publishedAt),
          shortTime(key.activatesAt),
          shortTimeOrNull(key.droppedAt),
        ]),
        empty: 'no keys yet; the first is made when a token is first signed',
      })
      return done
    }),
}
