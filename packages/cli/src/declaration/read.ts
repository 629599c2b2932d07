/** Reads a declaration file (DECISIONS §9): a bad file changes nothing, and every problem names file, line and field. */
import { dirname, resolve } from 'node:path'
import type { Declaration, FieldProblem } from '@grantor/authority'
import { failure, type Failure } from '../program/exit.ts'
import type { World } from '../program/environment.ts'
import { asDeclaration } from './shape.ts'
import { withSecrets } from './secret-files.ts'
import { readSource } from './source.ts'
import { textOf } from './text-file.ts'

export interface DeclarationFile {
  readonly declaration: Declaration
  /** `file:line: field: problem`, for what the authority has to say about a field. */
  readonly place: (problem: FieldProblem) => string
}

export type DeclarationRead =
  | { readonly ok: true; readonly file: DeclarationFile }
  | { readonly ok: false; readonly failure: Failure }

/** `-` is standard input; files it names are then relative to the working folder. */
export async function readDeclaration(name: string, world: World): Promise<DeclarationRead> {
  const text = await textOf(name, world)
  if (typeof text !== 'string') return { ok: false, failure: text }
  const shown = name === '-' ? 'stdin' : name
  const bad = (problems: readonly { readonly line: number; readonly field: string; readonly problem: string }[]) => ({
    ok: false as const,
    failure: failure('invalid', `${shown} is not a valid declaration; nothing was changed`, {
      where: problems.map(({ line, field, problem }) => placed(shown, line, { field, problem })),
    }),
  })
  const source = readSource(text)
  if (!source.ok) return bad(source.problems)
  const { value, lineOf } = source.value
  const inLines = (problems: readonly FieldProblem[]) => problems.map((it) => ({ ...it, line: lineOf(it.field) }))
  const { value: complete, problems } = await withSecrets(
    value,
    name === '-' ? world.cwd : dirname(resolve(world.cwd, name)),
  )
  if (problems.length > 0) return bad(inLines(problems))
  const declaration = asDeclaration(complete)
  if (declaration === undefined)
    return bad([{ line: lineOf(''), field: '', problem: 'must be an object with resources, scopes, clients …' }])
  const place = (problem: FieldProblem): string => placed(shown, lineOf(problem.field), problem)
  return { ok: true, file: { declaration, place } }
}

const placed = (file: string, line: number, { field, problem }: FieldProblem): string =>
  field === '' ? `${file}:${line}: ${problem}` : `${file}:${line}: ${field}: ${problem}`
