/** One run of the program: from its arguments to its exit code. */
import { readFileSync } from 'node:fs'
import { commands } from '../commands/index.ts'
import { writeFailure } from '../output/output.ts'
import { runCommandLine } from './command-line.ts'
import { type Environment, OutputClosed } from './environment.ts'
import { type CommandFailure, exitCodes, failure } from './exit.ts'
import { fileFailure } from './file-failure.ts'
import { settingFlags } from './settings.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

export async function runGrantor(argv: readonly string[], environment: Environment): Promise<number> {
  const json = wantsJson(argv)
  try {
    const result = await runCommandLine({ environment, version, settingFlags }, commands, argv)
    return result.kind === 'ok' ? exitCodes.done.code : await tell(environment, json, result.error)
  } catch (error) {
    // `grantor audit export | head` is not an error: the reader has read what it wanted.
    if (error instanceof OutputClosed) return exitCodes.done.code
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const defect = failure('failed', 'this is a defect of grantor itself; please report it', {
      where: trace.split('\n'),
    })
    return tell(environment, json, (fileFailure(error) ?? defect).error)
  }
}

/** Looks for `--json` by hand, because usage errors and defects can happen before the arguments are parsed. */
const wantsJson = (argv: readonly string[]): boolean =>
  argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined).includes('--json')

/** Writes the failure and returns its exit code, also if the text cannot be written. */
async function tell(environment: Environment, json: boolean, failed: CommandFailure): Promise<number> {
  await writeFailure(environment, json, failed).catch(() => {})
  return exitCodes[failed.exit].code
}
