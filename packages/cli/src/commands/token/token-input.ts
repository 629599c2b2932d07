/** A token as an argument or on standard input, which leaves no trace in shell history and process list. */
import { ok } from '@grantor/protocol/result'
import { argument, type Argument, type CommandContext } from '../../program/command.ts'
import { readInput } from '../../program/environment.ts'
import { type CommandResult, failure } from '../../program/exit.ts'

export const tokenArgument: Argument = {
  form: '[token]',
  description: 'the token; without it, or as -, it is read from standard input',
}

const maxBytes = 64 * 1024

export async function readToken(context: CommandContext): Promise<CommandResult<string>> {
  const { stdin } = context.environment
  const named = argument(context, 0)
  const piped = named === '' || named === '-'
  if (piped && stdin.isTTY === true)
    return failure('invalid', 'a token is missing', { fix: 'give it as an argument, or pipe it in' })
  const token = piped ? ((await readInput(stdin, maxBytes))?.toString() ?? '').trim() : named
  return token === '' || token.length > maxBytes ? failure('invalid', 'this is not a token') : ok(token)
}
