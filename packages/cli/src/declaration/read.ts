/** Reads a declaration file: a bad file changes nothing, and every problem names file, line and field. */
import { dirname, resolve } from 'node:path'
import type { Declaration, FieldProblem } from '@grantor/authority'
import { ok } from '@grantor/protocol/result'
import type { Environment } from '../program/environment.ts'
import { type CommandResult, failure, inField, type LocateProblem } from '../program/exit.ts'
import { readSecretFiles } from './secret-files.ts'
import { asDeclaration } from './shape.ts'
import { readSource, type SourceProblem } from './source.ts'
import { readTextFile } from './text-file.ts'

export interface DeclarationFile {
  readonly declaration: Declaration
  /** `file:line: field: problem`, for problems of a field that the authority finds. */
  readonly locate: LocateProblem
}

/** `-` is standard input; files it names are then relative to the working folder. */
export async function readDeclaration(name: string, environment: Environment): Promise<CommandResult<DeclarationFile>> {
  const text = await readTextFile(name, environment)
  if (text.kind === 'error') return text
  const shown = name === '-' ? 'stdin' : name
  const inLine = ({ line, ...problem }: SourceProblem): string =>
    `${shown}:${line}: ${problem.field === '' ? problem.problem : inField(problem)}`
  const invalid = (problems: readonly SourceProblem[]) =>
    failure('invalid', `${shown} is not a valid declaration; nothing was changed`, { where: problems.map(inLine) })
  const source = readSource(text.value)
  if (source.kind === 'error') return invalid(source.error)
  const { value, lineOf } = source.value
  const withLine = (problem: FieldProblem): SourceProblem => ({ ...problem, line: lineOf(problem.field) })
  const { value: complete, problems } = await readSecretFiles(value, folderOf(name, environment))
  if (problems.length > 0) return invalid(problems.map(withLine))
  const declaration = asDeclaration(complete)
  if (declaration === undefined)
    return invalid([withLine({ field: '', problem: 'must be an object with resources, scopes, clients …' })])
  return ok({ declaration, locate: (problem) => inLine(withLine(problem)) })
}

/** Files that a declaration names are relative to its folder; for standard input, to the working folder. */
export const folderOf = (name: string, { cwd }: Environment): string =>
  name === '-' ? cwd : dirname(resolve(cwd, name))
