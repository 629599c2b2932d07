/** Runs the command in a folder of its own that is gone afterwards: as a real process, or as a function where that is enough. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { type Environment, runGrantor } from '../src/index.ts'

export const shim = join(import.meta.dirname, '..', 'bin', 'grantor.js')

/** What the shim begins: the sources, or what `npm test` has put together from them. */
const program = process.env['GRANTOR_TEST_COMMAND'] ?? shim

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Folder extends Disposable {
  readonly path: string
  /** Writes a file into it. */
  write(name: string, text: string): string
  read(name: string): string
  /** Runs `grantor …` in it; everything is kept in `data` beside. */
  run(
    args: readonly string[],
    more?: { readonly stdin?: string; readonly env?: Readonly<Record<string, string>> },
  ): Promise<Ran>
  /** The same words to the same program without a process of its own, for tables and for what comes before the point. */
  call: Folder['run']
  /** Calls with --json, and reads stdout as one JSON document. */
  json(...args: string[]): Promise<Readonly<Record<string, unknown>>>
  /** Starts `grantor start …` on free ports and waits for the ready line. */
  start(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Started>
  spawn(args: readonly string[], env?: Readonly<Record<string, string>>): ChildProcessWithoutNullStreams
}

export interface Ready {
  readonly event: string
  readonly issuer: string
  readonly port: number
  readonly management_port: number
  readonly demo_port?: number
  readonly pid: number
}

export interface Started extends AsyncDisposable {
  readonly ready: Ready
  readonly process: ChildProcessWithoutNullStreams
  readonly lines: readonly string[]
  /** What it has said so far. */
  stderr(): string
  /** Signals and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
}

/** Nothing of whoever runs the tests configures the server under test. */
export const plainEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GRANTOR_')))
export const anyPorts = {
  GRANTOR_PORT: '0',
  GRANTOR_MANAGEMENT_PORT: '0',
  GRANTOR_DEMO_PORT: '0',
  GRANTOR_MTLS_PORT: '0',
  GRANTOR_LOG: 'warn',
}

export function folder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'grantor-cli-'))
  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawn(process.execPath, [program, ...args], { cwd: path, env: { ...plainEnv, NO_COLOR: '1', ...env } })
  const run: Folder['run'] = async (args, { stdin = '', env } = {}) => {
    const child = start(args, env)
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin)
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, stdout: stdout(), stderr: stderr() }
  }
  const call: Folder['run'] = async (args, { stdin = '', env = {} } = {}) => {
    const [stdout, stderr] = [sink(), sink()]
    const environment: Environment = {
      env: { ...plainEnv, ...env },
      cwd: path,
      stdin: Readable.from(stdin === '' ? [] : [stdin]),
      stdout,
      stderr,
      stopped: () => Promise.resolve(),
      onHangup: () => {},
    }
    const code = await runGrantor(args, environment)
    return { code, stdout: stdout.text, stderr: stderr.text }
  }
  return {
    path,
    run,
    call,
    spawn: start,
    write: (name, text) => {
      writeFileSync(join(path, name), text)
      return name
    },
    read: (name) => readFileSync(join(path, name), 'utf8'),
    json: async (...args) => {
      const { code, stdout, stderr } = await call([...args, '--json'])
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
      return JSON.parse(stdout) as Readonly<Record<string, unknown>>
    },
    start: (args = [], env = {}) => started(start(['start', ...args], { ...anyPorts, ...env })),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}

const sink = () => ({
  text: '',
  write(text: string, written?: (error?: Error | null) => void) {
    this.text += text
    written?.()
    return true
  },
})

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => (text += chunk))
  return () => text
}

async function started(child: ChildProcessWithoutNullStreams): Promise<Started> {
  const stderr = collect(child.stderr)
  const lines: string[] = []
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    const [code, by] = await ended
    return { code, signal: by }
  }
  const first = new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line)
      resolve(line)
    })
  })
  const line = await Promise.race([
    first,
    ended.then(([code]) => Promise.reject(new Error(`it ended with ${code}: ${stderr()}`))),
  ])
  return {
    ready: JSON.parse(line) as Ready,
    process: child,
    lines,
    stderr,
    stop,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) await stop('SIGKILL')
    },
  }
}
