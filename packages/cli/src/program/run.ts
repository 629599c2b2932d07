/** One run of the command: from its words to its exit code. */
import { readFileSync } from 'node:fs'
import { exitCodes, failure } from './exit.ts'
import { runFramed } from './command-line.ts'
import { complain } from '../output/output.ts'
import { commands } from '../commands/index.ts'
import { settingFlags } from './settings.ts'
import { ReaderGone, type World } from './environment.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

export async function run(argv: readonly string[], world: World): Promise<number> {
  try {
    const { ending, json } = await runFramed({ world, version, settings: settingFlags }, commands, argv)
    if (ending.kind !== 'done') await complain(world, json, ending)
    return exitCodes[ending.kind].code
  } catch (error) {
    // `grantor audit export | head` is no error: the reader has what it wanted.
    if (error instanceof ReaderGone) return exitCodes.done.code
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
    await complain(
      world,
      false,
      failure('failed', 'this is a defect of grantor itself; please report it', { where: trace.split('\n') }),
    )
    return exitCodes.failed.code
  }
}
