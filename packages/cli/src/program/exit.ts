/** How a command ends: exit codes that mean something, and failures as values. */
import type { AdminRefusal, FieldProblem } from '@grantor/authority'

/** The visible list of exit codes; `--help` prints it. */
export const exitCodes = {
  done: { code: 0, means: 'done' },
  failed: { code: 1, means: 'failed' },
  invalid: { code: 2, means: 'usage or invalid input' },
  absent: { code: 3, means: 'not found' },
  conflict: { code: 4, means: 'conflict with what is there' },
  unavailable: { code: 5, means: 'database or server unavailable' },
  damaged: { code: 6, means: 'verification found damage' },
} as const
export type EndingKind = keyof typeof exitCodes

export interface Done {
  readonly kind: 'done'
}

/** What is wrong, where, and what to do. */
export interface Failure {
  readonly kind: Exclude<EndingKind, 'done'>
  readonly what: string
  readonly where: readonly string[]
  readonly fix: string | null
}

export type Ending = Done | Failure

export const done: Done = { kind: 'done' }

export const failure = (
  kind: Failure['kind'],
  what: string,
  more: { readonly where?: readonly string[]; readonly fix?: string } = {},
): Failure => ({ kind, what, where: more.where ?? [], fix: more.fix ?? null })

/** Why an administrative act was refused, for a person. `where` turns a field into a place: a flag, or a line of a file. */
export function refused(refusal: AdminRefusal, where: (problem: FieldProblem) => string = inField): Failure {
  switch (refusal.reason) {
    case 'invalid':
      return failure('invalid', 'the input is not valid; nothing was changed', { where: refusal.problems.map(where) })
    case 'absent':
      return failure('absent', `there is no ${refusal.what.replace(/^an? /, '')}`)
    case 'exists':
      return failure('conflict', `${refusal.what} exists already`, {
        fix: 'choose another name, or change the one that is there',
      })
    case 'forbidden':
      return failure('conflict', refusal.what)
    case 'conflict':
      return failure('conflict', refusal.what, { fix: 'look at what is there now, then run the command again' })
    case 'unavailable':
      return failure('unavailable', 'the database cannot be used', {
        fix: 'run `grantor doctor`; it says what is away',
      })
  }
}

const inField = ({ field, problem }: FieldProblem): string => `${field}: ${problem}`
