/** Reads the file of a gateway and the files it names; every problem has its line. */
import { type GatewayConfig, readGatewayPlan, readReferencedFiles } from '@grantor/gateway'
import { err, ok } from '@grantor/protocol/result'
import { folderOf } from '../../declaration/read.ts'
import { readSource, type SourceProblem } from '../../declaration/source.ts'
import { readTextFile } from '../../declaration/text-file.ts'
import type { Environment } from '../../program/environment.ts'
import { type CommandResult, failure, inField, type LocateProblem } from '../../program/exit.ts'

export interface GatewayFile {
  readonly config: GatewayConfig
  /** `file:line: field: problem`. */
  readonly locate: LocateProblem
}

export async function readGatewayFile(name: string, environment: Environment): Promise<CommandResult<GatewayFile>> {
  const text = await readTextFile(name, environment)
  if (text.kind === 'error') return text
  const inLine = ({ line, ...problem }: SourceProblem): string =>
    `${name}:${line}: ${problem.field === '' ? problem.problem : inField(problem)}`
  const invalid = (where: readonly string[]) => failure('invalid', `${name} is not the file of a gateway`, { where })
  const source = readSource(text.value)
  if (source.kind === 'error') return invalid(source.error.map(inLine))
  const { value, lineOf } = source.value
  const locate: LocateProblem = (problem) => inLine({ ...problem, line: lineOf(problem.field) })
  const plan = readGatewayPlan(value)
  if (plan.kind === 'error') return invalid(plan.error.map(locate))
  const folder = folderOf(name, environment)
  const config = await readReferencedFiles(plan.value, { folder, parse: parseDocument })
  return config.kind === 'error' ? invalid(config.error.map(locate)) : ok({ config: config.value, locate })
}

function parseDocument(text: string) {
  const source = readSource(text)
  if (source.kind === 'ok') return ok(source.value.value)
  const [first] = source.error
  return err(`line ${first?.line ?? 1}: ${first?.problem ?? 'is not YAML or JSON'}`)
}
