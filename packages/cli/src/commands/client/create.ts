/** `grantor client create` */
import { ok } from '@grantor/protocol/result'
import { clientDocument, clientFields } from '../../documents/client.ts'
import { argument, type Command, type CommandContext } from '../../program/command.ts'
import { isInteractive } from '../../program/confirm.ts'
import { withTenant } from '../../program/deployment.ts'
import { adminFailure, done, type ExitResult } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'
import { clientOptions, type CreateClientInput, readClientInput } from './input.ts'
import { promptForClient } from './prompt.ts'

export const clientCreate: Command = {
  name: 'create',
  description: 'register a client; its secret is shown once',
  args: [{ form: '[client_id]', description: 'its identifier; without it one is made' }],
  options: clientOptions,
  tenant: true,
  run: async (context) => {
    const prompts = context.options.size === 0 && isInteractive(context)
    const input = prompts ? ok(await promptForClient(argument(context, 0))) : await readClientInput(context)
    if (input.kind === 'error') return input
    if (input.value !== null) return createClient(context, input.value)
    await context.out.remark('Nothing was changed.')
    return done
  },
}

const createClient = (
  context: CommandContext,
  { id, metadata, secret, locate }: CreateClientInput,
): Promise<ExitResult> =>
  withTenant(context, async ({ authority }) => {
    const input = { metadata, ...(id === undefined ? {} : { id }), ...(secret === undefined ? {} : { secret }) }
    const created = await authority.admin.clients.create(operator(), context.tenant, input)
    if (created.kind === 'error') return adminFailure(created.error, locate)
    const { client, secret: generated } = created.value
    // Only a generated secret must be shown; a given one is known already.
    const shown = secret === undefined && generated !== null ? { client_secret: generated } : {}
    await context.out.record({ ...clientDocument(client), ...shown }, [
      ...clientFields(client),
      ...Object.entries(shown).map(([name, value]) => [name, value] as const),
    ])
    if ('client_secret' in shown) await context.out.remark('The secret is shown this once; only its hash is kept.')
    return done
  })
