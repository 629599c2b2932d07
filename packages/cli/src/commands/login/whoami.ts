/** `grantor whoami` */
import { caOption, issuerArgument } from '../../login/target.ts'
import type { Command } from '../../program/command.ts'

export const whoami: Command = {
  name: 'whoami',
  description: 'show who is signed in, as the authorization server knows them',
  args: [issuerArgument],
  options: [caOption],
  run: async (context) => (await import('../../login/show-identity.ts')).showIdentity(context),
}
