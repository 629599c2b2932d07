/** `grantor token` without a subcommand: an access token for scripts. The refresh token is never shown. */
import { caOption, issuerOption } from '../../login/target.ts'
import type { Command } from '../../program/command.ts'

export const accessToken: Command = {
  name: 'token',
  description: 'print a living access token of the login, refreshed if it is near its end',
  options: [issuerOption, caOption],
  run: async (context) => (await import('../../login/print-token.ts')).printToken(context),
}
