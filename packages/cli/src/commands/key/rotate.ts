/** `grantor key rotate` */
import { operator } from '../../program/operator.ts'
import { done, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import { isSet, type Verb } from '../../program/command.ts'

export const keyRotate: Verb = {
  name: 'rotate',
  says: 'publish the next signing keys; they sign once validators had time to see them',
  options: [{ flag: '--now', says: 'let them sign at once; the old keys stay published' }],
  tenant: true,
  run: (call) =>
    withTenant(call, async ({ authority }) => {
      const now = isSet(call, '--now')
      const rotated = await authority.admin.keys.rotate(operator(), call.tenant, { now })
      if (!rotated.ok) return refused(rotated.refusal)
      await call.out.list(rotated.value, {
        columns: [now ? 'SIGNS NOW' : 'PUBLISHED'],
        rows: rotated.value.map((kid) => [kid]),
        empty: 'nothing to rotate: the next keys are published already; --now lets them sign',
      })
      return done
    }),
}
