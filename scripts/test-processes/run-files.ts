/** Runs test files by node's test runner, in as many processes as `divide` says, and tells which of them failed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import type { TestProcess } from './divide.ts'
import { listen, type Verdict } from './verdict.ts'

export interface RunFilesOptions {
  readonly root: string
  /** Processes at a time. */
  readonly concurrency: number
  readonly environment: NodeJS.ProcessEnv
}

export interface Outcome {
  /** Each is a file that failed; or, where a process failed and none of its files did, all of them. */
  readonly failed: readonly TestProcess[]
  readonly tests: number
  readonly passed: number
  readonly skipped: number
}

// A test that hangs fails: no file takes a tenth of this, also on a busy machine.
const longest = 30 * 60_000

/** A process that ends before it is through takes only the file with it that it was at: the rest is begun again. */
export async function runFiles(processes: readonly TestProcess[], options: RunFilesOptions): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-test-processes-'))
  const turns: Verdict[] = []
  try {
    for (let left = processes; left.length > 0; left = turns.at(-1)?.left ?? []) {
      if (turns.length > 0) console.log(`a process ended early; what it had not begun: ${left.flat().join(', ')}`)
      turns.push(await runOnce(left, folder, options))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const sum = (count: 'tests' | 'passed' | 'skipped'): number => turns.reduce((all, turn) => all + turn[count], 0)
  return {
    failed: turns.flatMap(({ failed }) => failed),
    tests: sum('tests'),
    passed: sum('passed'),
    skipped: sum('skipped'),
  }
}

async function runOnce(
  processes: readonly TestProcess[],
  folder: string,
  { root, concurrency, environment }: RunFilesOptions,
): Promise<Verdict> {
  const entries = new Map(processes.map((files, at) => [entryOf(files, join(folder, `${at}.mjs`), root), files]))
  const events = run({
    files: [...entries.keys()],
    cwd: root,
    concurrency,
    timeout: longest,
    env: environment,
    execArgv: [`--import=${join(import.meta.dirname, '..', 'bundle', 'preload.ts')}`],
  })
  const verdict = listen(events, entries)
  await pipeline(events.compose(new spec()), process.stdout, { end: false })
  return verdict()
}

/** What the process begins with: the file itself, or a list of them. */
function entryOf(files: TestProcess, path: string, root: string): string {
  if (files.length === 1) return join(root, files[0])
  const program = pathToFileURL(join(import.meta.dirname, 'run-together.ts')).href
  writeFileSync(
    path,
    `import { runTogether } from ${JSON.stringify(program)}\n` +
      `await runTogether(${JSON.stringify(root)}, ${JSON.stringify(files, null, 2)})\n`,
  )
  return path
}
