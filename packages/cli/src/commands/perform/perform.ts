/** `grantor perform …` */
import { flowArguments, flowOptions } from '../../perform/options.ts'
import type { Command, CommandGroup, CommandOption } from '../../program/command.ts'
import type { Obtain } from '../../perform/flow.ts'

interface FlowCommand {
  readonly name: string
  readonly description: string
  readonly options?: readonly CommandOption[]
  /** Loads the flow when used, because other commands need no OAuth client. */
  load(): Promise<Obtain>
}

const text = (flag: string, description: string, placeholder: string): CommandOption => ({
  flag,
  description,
  takes: 'text',
  placeholder,
})

const flows: readonly FlowCommand[] = [
  {
    name: 'code',
    description: 'obtain a token by a browser: authorization code with PKCE, back to a port of this machine',
    options: [
      { flag: '--par', description: 'push the request first (RFC 9126)' },
      {
        flag: '--callback-port',
        description: 'the port the browser comes back to (any free one)',
        takes: 'count',
        placeholder: 'port',
      },
    ],
    load: async () => (await import('../../perform/code.ts')).obtainByCode,
  },
  {
    name: 'device',
    description: 'obtain a token by a code that somebody types elsewhere (RFC 8628)',
    load: async () => (await import('../../perform/device.ts')).obtainByDevice,
  },
  {
    name: 'ciba',
    description: 'obtain a token by asking somebody who is elsewhere (CIBA)',
    options: [
      text('--login-hint', 'who is asked', 'name'),
      text('--binding-message', 'what they are shown, to compare', 'text'),
    ],
    load: async () => (await import('../../perform/ciba.ts')).obtainByBackchannel,
  },
  {
    name: 'client-credentials',
    description: 'obtain a token for the client itself',
    load: async () => (await import('../../perform/client-credentials.ts')).obtainByClientCredentials,
  },
  {
    name: 'exchange',
    description: 'exchange a token for another one (RFC 8693)',
    options: [
      text('--subject-token-file', 'a file with the token to exchange', 'file'),
      text('--subject-token-type', 'what it is: access-token, id-token, jwt, or an address', 'type'),
      text('--actor-token-file', 'a file with the access token of whoever acts', 'file'),
      text('--audience', 'for whom the new token is', 'name'),
      text('--requested-token-type', 'what the new token shall be', 'type'),
    ],
    load: async () => (await import('../../perform/exchange.ts')).obtainByExchange,
  },
]

const commandOf = ({ name, description, options = [], load }: FlowCommand): Command => ({
  name,
  description,
  args: flowArguments,
  options: [...options, ...flowOptions],
  run: async (context) => (await import('../../perform/flow.ts')).perform(context, await load()),
})

export const performGroup: CommandGroup = {
  name: 'perform',
  description: 'obtain a token at any authorization server, and see each step',
  commands: flows.map(commandOf),
}
