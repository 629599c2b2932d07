/** `grantor api-key create` */
import type { Instant } from '@grantor/protocol/types'
import { apiKeyDocument } from '../../documents/api-key.ts'
import { fieldsOf } from '../../documents/client.ts'
import { type Command, type CommandContext, listOption, textOption } from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { durationForms, secondsIn } from '../../program/duration.ts'
import { adminFailure, done, failure } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'

const flags: Readonly<Record<string, string>> = {
  client_id: '--client',
  expires_at: '--expires',
  addresses: '--address',
}

export const apiKeyCreate: Command = {
  name: 'create',
  description: 'make a key that a client carries to one API instead of tokens, shown once',
  options: [
    { flag: '--client', takes: 'text', placeholder: 'id', description: 'the client that acts by it' },
    { flag: '--resource', takes: 'text', placeholder: 'identifier', description: 'the one API that it opens' },
    { flag: '--name', takes: 'text', placeholder: 'name', description: 'what it is used for, and where' },
    {
      flag: '--scope',
      takes: 'list',
      placeholder: 'scopes',
      description: "what it may do there (repeat for more; default: the client's scopes at that API)",
    },
    {
      flag: '--expires',
      takes: 'text',
      placeholder: 'duration',
      description: 'how long, such as 24h or 90d (default: for ever)',
    },
    {
      flag: '--address',
      takes: 'list',
      placeholder: 'block',
      description: 'where it may be used from, such as 192.0.2.0/24 (repeat for more; default: anywhere)',
    },
  ],
  tenant: true,
  run: (context) =>
    withTenant(context, async ({ authority, clock }) => {
      const duration = textOption(context, '--expires')
      const expiresIn = duration === undefined ? null : secondsIn(duration)
      if (expiresIn === undefined) {
        return failure('invalid', `--expires ${duration} is no duration`, { fix: durationForms })
      }
      const expiresAt = expiresIn === null ? null : ((clock.now() + expiresIn * 1000) as Instant)
      const input = { ...inputOf(context), expiresAt }
      const created = await authority.admin.apiKeys.create(operator(), context.tenant, input)
      if (created.kind === 'error') return adminFailure(created.error, locate)
      const { apiKey, key } = created.value
      const document = { id: apiKey.id, key, ...apiKeyDocument(apiKey) }
      await context.out.record(document, fieldsOf(document))
      await context.out.remark('The key is shown this once; only its hash is kept.')
      return done
    }),
}

function inputOf(context: CommandContext) {
  const scope = listOption(context, '--scope')
  return {
    name: textOption(context, '--name') ?? '',
    clientId: textOption(context, '--client') ?? '',
    resource: textOption(context, '--resource') ?? '',
    scope: scope === undefined ? null : scope.join(' '),
    addresses: listOption(context, '--address') ?? [],
  }
}

/** Names a problem by the flag that the person typed. */
const locate = ({ field, problem }: { readonly field: string; readonly problem: string }): string => {
  const [name = field] = field.split('[')
  return `${flags[name] ?? `--${name}`}: ${problem}`
}
