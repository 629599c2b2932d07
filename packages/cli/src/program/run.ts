/** One run of the program: from its arguments to its exit code. */
import { readFileSync } from 'node:fs'
import { commands } from '../commands/index.ts'
import { writeFailure } from '../output/output.ts'
import { runCommandLine } from './command-line.ts'
import { type Environment, OutputClosed } from './environment.ts'
import { exitCodes, failure } from './exit.ts'
import { fileFailure } from './file-failure.ts'
import { settingFlags } from './settings.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

export async function runGrantor(argv: readonly string[], environment: Environment): Promise<number> {
  try {
    const { result, json } = await runCommandLine({ environment, version, settingFlags }, commands, argv)
    if (result.kind === 'ok') return exitCodes.done.code
    await writeFailure(environment, json, result.error)
    return exitCodes[result.error.exit].code
  } catch (error) {
    // `grantor audit export | head` is no error: the reader has what it wanted.
    if (error instanceof OutputClosed) return exitCodes.done.code
    const ofFile = fileFailure(error)
    if (ofFile !== null) {
      await writeFailure(environment, argv.includes('--json'), ofFile.error)
      return exitCodes[ofFile.error.exit].code
    }
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const defect = failure('failed', 'this is a defect of grantor itself; please report it', {
      where: trace.split('\n'),
    })
    await writeFailure(environment, false, defect.error)
    return exitCodes.failed.code
  }
}
