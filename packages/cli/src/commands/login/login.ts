/** `grantor login` */
import { builtInClient, caOption, defaultScope, issuerArgument } from '../../login/target.ts'
import type { Command } from '../../program/command.ts'

export const login: Command = {
  name: 'login',
  description: 'sign in at an authorization server by its device page, and keep the tokens on this machine',
  args: [issuerArgument],
  options: [
    {
      flag: '--client-id',
      description: `the public client to sign in as (${builtInClient})`,
      takes: 'text',
      placeholder: 'id',
    },
    { flag: '--scope', description: `what to ask for (${defaultScope})`, takes: 'text', placeholder: 'scopes' },
    { flag: '--admin', description: 'ask for everything that administrators may, for commands with --server' },
    { flag: '--resource', description: 'the API that the token is for', takes: 'text', placeholder: 'uri' },
    caOption,
  ],
  // Loaded when used, like all code that calls an issuer, because other commands need no OAuth client.
  run: async (context) => (await import('../../login/sign-in.ts')).signIn(context),
}
