/** `grantor client create` */
import { operator } from '../../program/operator.ts'
import { attended } from '../../program/confirm.ts'
import { clientDocument, clientFields } from '../../documents/client.ts'
import { done, type Ending, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import { type Call, arg, type Verb } from '../../program/command.ts'
import { askForClient } from './prompt.ts'
import { type ClientWish, wishFlags, wishOf } from './input.ts'

export const clientCreate: Verb = {
  name: 'create',
  says: 'register a client; its secret is shown once',
  args: [{ form: '[client_id]', says: 'its identifier; without it one is made' }],
  options: wishFlags,
  tenant: true,
  run: async (call) => {
    const nothingSaid = call.options.size === 0
    const wish = nothingSaid && attended(call) ? await askForClient(arg(call, 0)) : await wishOf(call)
    if (wish === null) {
      await call.out.remark('Nothing was changed.')
      return done
    }
    return 'kind' in wish ? wish : create(call, wish)
  },
}

const create = (call: Call, { id, metadata, secret, place }: ClientWish): Promise<Ending> =>
  withTenant(call, async ({ authority }) => {
    const wanted = { metadata, ...(id === undefined ? {} : { id }), ...(secret === undefined ? {} : { secret }) }
    const created = await authority.admin.clients.create(operator(), call.tenant, wanted)
    if (!created.ok) return refused(created.refusal, place)
    const { client, secret: made } = created.value
    // A secret that was handed in is known to whoever did; only a generated one must be shown.
    const shown = secret === undefined && made !== null ? { client_secret: made } : {}
    await call.out.record({ ...clientDocument(client), ...shown }, [
      ...clientFields(client),
      ...Object.entries(shown).map(([name, value]) => [name, value] as const),
    ])
    if ('client_secret' in shown) await call.out.remark('The secret is shown this once; only its hash is kept.')
    return done
  })
