/** `grantor key list` */
import { done, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import { shortTime, shortTimeOrNull, timestamp, timestampOrNull } from '../../output/time.ts'
import type { Verb } from '../../program/command.ts'

export const keyList: Verb = {
  name: 'list',
  says: 'list the signing keys of a tenant and where each is in its life',
  tenant: true,
  run: (call) =>
    withTenant(call, async ({ authority }) => {
      const read = await authority.admin.keys.list(call.tenant)
      if (!read.ok) return refused(read.refusal)
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
      await call.out.list(documents, {
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
