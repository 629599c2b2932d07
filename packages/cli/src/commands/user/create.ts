/** `grantor user create` */
import { administratorKinds } from '@grantor/protocol/people'
import type { JsonObject } from '@grantor/protocol/types'
import { fieldsOf } from '../../documents/client.ts'
import { personDocument } from '../../documents/person.ts'
import { argument, type Command, type CommandContext, type CommandOption, textOption } from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'
import { passwordFileOption, readPassword } from './password.ts'

const administratorOption: CommandOption = {
  flag: '--administrator',
  takes: 'text',
  placeholder: 'kind',
  description: 'make them an administrator of the tenant, of the deployment in the default one',
  choices: administratorKinds,
}

export const userCreate: Command = {
  name: 'create',
  description: 'make an account for a person',
  args: [{ form: '<username>', description: 'what they sign in with' }],
  options: [
    { flag: '--name', takes: 'text', placeholder: 'name', description: 'their full name' },
    { flag: '--email', takes: 'text', placeholder: 'address', description: 'their address, not yet verified' },
    administratorOption,
    passwordFileOption,
  ],
  tenant: true,
  run: async (context) => {
    const read = await readPassword(context)
    if (read.kind === 'error') return read
    const password = read.value
    return withTenant(context, async ({ authority }) => {
      const administrator = textOption(context, administratorOption.flag) ?? null
      const input = {
        username: argument(context, 0),
        password: password.text,
        claims: claimsOf(context),
        administrator,
      }
      const created = await authority.admin.users.create(operator(), context.tenant, input)
      if (created.kind === 'error') return adminFailure(created.error)
      const document = { ...personDocument(created.value), ...(password.generated ? { password: password.text } : {}) }
      await context.out.record(document, fieldsOf(document))
      if (password.generated) await context.out.remark('The password is shown this once; only its hash is kept.')
      return done
    })
  },
}

function claimsOf(context: CommandContext): JsonObject {
  const [name, email] = [textOption(context, '--name'), textOption(context, '--email')]
  return { ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email, email_verified: false }) }
}
