/** A token as an argument or on standard input; the latter leaves no trace in the shell's history and the process list. */
import { failure, type Failure } from '../../program/exit.ts'
import { arg, type Arg, type Call } from '../../program/command.ts'
import { readAll } from '../../program/environment.ts'

export const tokenArg: Arg = { form: '[token]', says: 'the token; without it, or as -, it is read from standard input' }

const maxBytes = 64 * 1024

export async function givenToken(call: Call): Promise<string | Failure> {
  const given = arg(call, 0)
  const piped = given === '' || given === '-'
  if (piped && call.world.stdin.isTTY === true)
    return failure('invalid', 'a token is missing', { fix: 'give it as an argument, or pipe it in' })
  const token = piped ? ((await readAll(call.world.stdin, maxBytes)) ?? '').trim() : given
  return token === '' || token.length > maxBytes ? failure('invalid', 'this is not a token') : token
}
