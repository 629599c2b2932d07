/** `grantor client rotate-secret` */
import { clientDocument } from '../../documents/client.ts'
import { argument, type Command, countOption } from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'

const day = 24 * 60 * 60

export const clientRotateSecret: Command = {
  name: 'rotate-secret',
  description: 'give a client a new secret, shown once; the old ones live on for a while',
  args: [{ form: '<client_id>', description: 'the client' }],
  options: [
    {
      flag: '--overlap',
      takes: 'count',
      placeholder: 'seconds',
      description: 'how long the old secrets still work (default: one day; 0 after a leak)',
    },
  ],
  tenant: true,
  run: (context) =>
    withTenant(context, async ({ authority }) => {
      const rotation = { id: argument(context, 0), overlap: countOption(context, '--overlap') ?? day }
      const rotated = await authority.admin.clients.rotateSecret(operator(), context.tenant, rotation)
      if (rotated.kind === 'error') return adminFailure(rotated.error)
      const { client, secret } = rotated.value
      await context.out.record({ ...clientDocument(client), client_secret: secret }, [
        ['client_id', client.id],
        ['client_secret', secret],
        ['old secrets', rotation.overlap === 0 ? 'dead' : `work for ${rotation.overlap} s more`],
      ])
      await context.out.remark('The secret is shown this once; only its hash is kept.')
      return done
    }),
}
