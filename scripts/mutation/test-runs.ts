/** Runs one test file in a process of its own, as far as its first failure and no longer than it may take. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { quickFolder } from './scratch.ts'

export interface TestRun {
  readonly outcome: 'green' | 'red' | 'late'
  readonly milliseconds: number
}

export interface RunOptions {
  /** The copy that the tests run in. */
  readonly folder: string
  readonly databaseUrl: string
  readonly mostMilliseconds: number
  /** Where V8 writes what was executed; null where nobody wants to know. */
  readonly coverage: string | null
}

const reporter = join(import.meta.dirname, 'first-failure.ts')

/** A file that hangs is red: it would never have let the defect pass. */
export async function runTest(file: string, options: RunOptions): Promise<TestRun> {
  const temporary = mkdtempSync(join(quickFolder, 'grantor-mutation-run-'))
  const cache = join(options.folder, 'node_modules', '.cache', 'compiled')
  mkdirSync(cache, { recursive: true })
  const began = performance.now()
  const node = [process.execPath, '--no-warnings', `--test-reporter=${reporter}`, file]
  const test = spawn('nice', ['-n', '10', ...node], {
    cwd: options.folder,
    stdio: 'ignore',
    detached: true,
    env: {
      ...process.env,
      TMPDIR: temporary,
      NODE_COMPILE_CACHE: cache,
      GRANTOR_TEST_DATABASE_URL: options.databaseUrl,
      // The store has tests of its own on both; what is above it does the same on either.
      GRANTOR_TEST_DATABASES: 'sqlite',
      ...(options.coverage === null ? {} : { NODE_V8_COVERAGE: options.coverage }),
    },
  })
  let late = false
  const timer = setTimeout(() => {
    late = true
    endGroup(test.pid)
  }, options.mostMilliseconds)
  const code = await new Promise<number | null>((resolve) => test.once('close', resolve))
  clearTimeout(timer)
  endGroup(test.pid)
  rmSync(temporary, { recursive: true, force: true })
  const outcome = late ? 'late' : code === 0 ? 'green' : 'red'
  return { outcome, milliseconds: performance.now() - began }
}

/** The process and whatever it started. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // They are gone already.
  }
}
