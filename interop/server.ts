/** Starts the real command as a process, as an operator would, and waits for its ready line. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

const cli = join(import.meta.dirname, '..', 'packages', 'cli')

/** The sources of the command, whatever was put together from them. */
export const sourceCommand = join(cli, 'src', 'main.ts')

/** The command as the checkout has it, or what `npm test` has put together. */
export const grantorCommand = process.env['GRANTOR_TEST_COMMAND'] ?? join(cli, 'bin', 'grantor.js')

/** A folder that is gone at the end of its block. */
export interface Folder extends Disposable {
  readonly path: string
  /** Writes a file into it and returns its path. */
  write(name: string, content: string | object): string
}

export function temporaryFolder(under = tmpdir()): Folder {
  const path = mkdtempSync(join(under, 'grantor-'))
  return {
    path,
    write(name, content) {
      const file = join(path, name)
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 })
      return file
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}

export type Environment = Readonly<Record<string, string>>

export interface ServerOptions {
  /** GRANTOR_DATA: outlives the server, so that it can be started again on the same data. */
  readonly data: string
  /** GRANTOR_SEED. */
  readonly seed?: string
  readonly env?: Environment
  /** Flags for Node itself. */
  readonly execArgv?: readonly string[]
  /** The command; the one of this checkout if not given. */
  readonly command?: string
}

export interface Server extends AsyncDisposable {
  readonly issuer: string
  readonly port: number
  readonly managementPort: number
  readonly pid: number
  /** Milliseconds from the start of the process to the ready line. */
  readonly readyAfter: number
  /** The PEM of the local CA; null when the server shows no certificate of its own making. */
  readonly ca: string | null
  /** Everything it has written so far. */
  output(): string
  /** SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL. */
  kill(): Promise<void>
}

/** Settings of whoever runs the tests are not settings of the servers they start. */
const bare = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GRANTOR_')))

interface ReadyLine {
  readonly event: string
  readonly issuer: string
  readonly port: number
  readonly management_port: number
  readonly pid: number
}

export async function startServer(options: ServerOptions): Promise<Server> {
  const { data, seed, env = {}, execArgv = [], command = grantorCommand } = options
  const began = performance.now()
  const child = spawn(process.execPath, [...execArgv, command, 'start'], {
    cwd: data,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...bare,
      GRANTOR_DATA: data,
      GRANTOR_PORT: '0',
      GRANTOR_MANAGEMENT_PORT: '0',
      GRANTOR_MTLS_PORT: '0',
      ...(seed === undefined ? {} : { GRANTOR_SEED: seed }),
      ...env,
    },
  })
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const output = collected(child)
  const ready = await readyLine(child, exited, output)
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return (await exited)[0]
  }
  const caFile = join(data, 'tls', 'ca.pem')
  return {
    issuer: ready.issuer,
    port: ready.port,
    managementPort: ready.management_port,
    pid: ready.pid,
    readyAfter: performance.now() - began,
    ca: existsSync(caFile) ? readFileSync(caFile, 'utf8') : null,
    output,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  }
}

type Child = ChildProcessByStdio<null, Readable, Readable>

function collected(child: Child): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  }
  return () => text
}

async function readyLine(child: Child, exited: Promise<unknown>, output: () => string): Promise<ReadyLine> {
  const ready = new Promise<ReadyLine>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes('"event":"ready"')) resolve(JSON.parse(line) as ReadyLine)
    })
  })
  const ended = exited.then(() => Promise.reject(new Error(`the server ended before it was ready:\n${output()}`)))
  return Promise.race([ready, ended])
}

export interface CommandResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `grantor …` to its end on the same data. */
export async function runCommand(
  args: readonly string[],
  { data, env = {}, command = grantorCommand }: ServerOptions,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [command, ...args], {
    cwd: data,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...bare, GRANTOR_DATA: data, ...env },
  })
  const parts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (parts.stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (parts.stderr += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...parts }
}
