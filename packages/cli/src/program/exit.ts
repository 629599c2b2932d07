/** How a command exits: exit codes, and failures as values. */
import type { AdminError, FieldProblem } from '@grantor/authority'
import { type Err, err, ok, type Result } from '@grantor/protocol/result'

/** The list of exit codes, which `--help` prints. */
export const exitCodes = {
  done: { code: 0, means: 'done' },
  failed: { code: 1, means: 'failed' },
  invalid: { code: 2, means: 'usage or invalid input' },
  absent: { code: 3, means: 'not found' },
  conflict: { code: 4, means: 'conflict with what is there' },
  unavailable: { code: 5, means: 'database or server unavailable' },
  damaged: { code: 6, means: 'verification found damage' },
} as const

/** What is wrong, where, and what to do. */
export interface CommandFailure {
  readonly exit: Exclude<keyof typeof exitCodes, 'done'>
  readonly what: string
  readonly where: readonly string[]
  readonly fix: string | null
}

export type CommandResult<T> = Result<T, CommandFailure>
export type ExitResult = CommandResult<null>

export const done: ExitResult = ok(null)

export const failure = (
  exit: CommandFailure['exit'],
  what: string,
  more: { readonly where?: readonly string[]; readonly fix?: string } = {},
): Err<CommandFailure> => err({ exit, what, where: more.where ?? [], fix: more.fix ?? null })

/** Describes an invalid field for a person: the field alone, or with its file and line. */
export type LocateProblem = (problem: FieldProblem) => string

export const inField: LocateProblem = ({ field, problem }) => `${field}: ${problem}`

/** Turns the refusal of an administrative action into a failure for a person. */
export function adminFailure(error: AdminError, locate: LocateProblem = inField): Err<CommandFailure> {
  switch (error.reason) {
    case 'invalid':
      return failure('invalid', 'the input is not valid; nothing was changed', { where: error.problems.map(locate) })
    case 'absent':
      return failure('absent', `there is no ${error.what.replace(/^an? /, '')}`)
    case 'exists':
      return failure('conflict', `${error.what} exists already`, {
        fix: 'choose another name, or change the one that is there',
      })
    case 'unreadable':
      return failure('conflict', error.what, { fix: 'declare it anew with `grantor apply`, or remove it' })
    case 'forbidden':
      return failure('conflict', error.what)
    case 'last-owner':
      return failure('conflict', 'this is the last owner', { fix: 'make somebody else an owner first' })
    case 'conflict':
      return failure('conflict', error.what, { fix: 'look at what is there now, then run the command again' })
    case 'unavailable':
      return failure('unavailable', 'the database cannot be used', {
        fix: 'run `grantor doctor`; it says what is away',
      })
  }
}
