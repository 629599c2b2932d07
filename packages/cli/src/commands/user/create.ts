/** `grantor user create` */
import type { JsonObject } from '@grantor/protocol/types'
import { operator } from '../../program/operator.ts'
import { fieldsOf } from '../../documents/client.ts'
import { personDocument } from '../../documents/person.ts'
import { done, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import { arg, type Call, textOf, type Verb } from '../../program/command.ts'
import { passwordFile, passwordOf } from './password.ts'

export const userCreate: Verb = {
  name: 'create',
  says: 'make an account for a person',
  args: [{ form: '<username>', says: 'what they sign in with' }],
  options: [
    { flag: '--name', takes: 'text', placeholder: 'name', says: 'their full name' },
    { flag: '--email', takes: 'text', placeholder: 'address', says: 'their address, not yet verified' },
    passwordFile,
  ],
  tenant: true,
  run: async (call) => {
    const password = await passwordOf(call)
    if ('kind' in password) return password
    return withTenant(call, async ({ authority }) => {
      const wish = { username: arg(call, 0), password: password.text, claims: claimsOf(call) }
      const created = await authority.admin.users.create(operator(), call.tenant, wish)
      if (!created.ok) return refused(created.refusal)
      const document = { ...personDocument(created.value), ...(password.made ? { password: password.text } : {}) }
      await call.out.record(document, fieldsOf(document))
      if (password.made) await call.out.remark('The password is shown this once; only its hash is kept.')
      return done
    })
  },
}

function claimsOf(call: Call): JsonObject {
  const [name, email] = [textOf(call, '--name'), textOf(call, '--email')]
  return { ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email, email_verified: false }) }
}
