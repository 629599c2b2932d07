/** `grantor logout` */
import { caOption, issuerArgument } from '../../login/target.ts'
import type { Command } from '../../program/command.ts'

export const logout: Command = {
  name: 'logout',
  description: 'sign out: revoke the tokens that `login` kept, and remove them from this machine',
  args: [issuerArgument],
  options: [caOption],
  run: async (context) => (await import('../../login/sign-out.ts')).signOut(context),
}
