/** `grantor client rotate-secret` */
import { operator } from '../../program/operator.ts'
import { clientDocument } from '../../documents/client.ts'
import { done, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import { arg, countOf, type Verb } from '../../program/command.ts'

const day = 24 * 60 * 60

export const clientRotateSecret: Verb = {
  name: 'rotate-secret',
  says: 'give a client a new secret, shown once; the old ones live on for a while',
  args: [{ form: '<client_id>', says: 'the client' }],
  options: [
    {
      flag: '--overlap',
      takes: 'count',
      placeholder: 'seconds',
      says: 'how long the old secrets still work (default: one day; 0 after a leak)',
    },
  ],
  tenant: true,
  run: (call) =>
    withTenant(call, async ({ authority }) => {
      const rotation = { id: arg(call, 0), overlap: countOf(call, '--overlap') ?? day }
      const rotated = await authority.admin.clients.rotateSecret(operator(), call.tenant, rotation)
      if (!rotated.ok) return refused(rotated.refusal)
      const { client, secret } = rotated.value
      await call.out.record({ ...clientDocument(client), client_secret: secret }, [
        ['client_id', client.id],
        ['client_secret', secret],
        ['old secrets', rotation.overlap === 0 ? 'dead' : `work for ${rotation.overlap} s more`],
      ])
      await call.out.remark('The secret is shown this once; only its hash is kept.')
      return done
    }),
}
