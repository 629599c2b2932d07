/** Runs test files by node's test runner, and tells which of them failed. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'

export interface RunFilesOptions {
  readonly root: string
  /** Files at a time. */
  readonly concurrency: number
  readonly environment: NodeJS.ProcessEnv
}

// A file that hangs fails: none takes a tenth of this, also on a busy machine.
const longest = 30 * 60_000

/** Null where the runner itself ended badly and named no file. */
export async function runFiles(
  files: readonly string[],
  { root, concurrency, environment }: RunFilesOptions,
): Promise<readonly string[] | null> {
  const list = join(root, 'node_modules', '.cache', `failed-${process.pid}`)
  const runner = spawn(
    process.execPath,
    [
      '--test',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${join(root, 'scripts/failed-files.ts')}`,
      `--test-reporter-destination=${list}`,
      `--test-concurrency=${concurrency}`,
      `--test-timeout=${longest}`,
      `--import=${join(root, 'scripts/bundle/preload.ts')}`,
      ...files,
    ],
    { cwd: root, stdio: 'inherit', env: environment },
  )
  const code = await new Promise<number>((resolve) => runner.on('exit', (exited) => resolve(exited ?? 1)))
  const failed = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : []
  rmSync(list, { force: true })
  // A test may be written in a file that another one brings in; that one holds its suite, and fails with it.
  const named = failed.map((path) => relative(root, path)).filter((path) => files.includes(path))
  return code !== 0 && named.length === 0 ? null : named
}
