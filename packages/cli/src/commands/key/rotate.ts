/** `grantor key rotate` */
import { type Command, hasFlag } from '../../program/command.ts'
import { withExistingTenant } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'

export const keyRotate: Command = {
  name: 'rotate',
  description: 'publish the next signing keys; they sign once validators had time to see them',
  options: [{ flag: '--now', description: 'let them sign at once; the old keys stay published' }],
  tenant: true,
  run: (context) =>
    withExistingTenant(context, async ({ authority }) => {
      const now = hasFlag(context, '--now')
      const rotated = await authority.admin.keys.rotate(operator(), context.tenant, { now })
      if (rotated.kind === 'error') return adminFailure(rotated.error)
      await context.out.list(rotated.value, {
        columns: [now ? 'SIGNS NOW' : 'PUBLISHED'],
        rows: rotated.value.map((kid) => [kid]),
        empty: 'nothing to rotate: the next keys are published already; --now lets them sign',
      })
      return done
    }),
}
