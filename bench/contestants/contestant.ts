/** Who takes part: each a process of its own that speaks plain HTTP on loopback. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Environment, type Folder, grantorCommand, startServer } from '../../interop/server.ts'
import { audience, clientId, clientSecret, scope } from './client.ts'

export interface Contestant {
  readonly port: number
  readonly pid: number
  /** Milliseconds from the start of the process to the ready line. */
  readonly readyAfter: number
  /** The processes that its database serves it by, where it has one apart. */
  databaseProcesses?(): Promise<readonly number[]>
  stop(): Promise<void>
}

/** What operations.md recommends for servers on glibc. Everybody gets it, so that nobody is measured by their allocator. */
export const allocator: Environment = {
  GLIBC_TUNABLES: 'glibc.malloc.tcache_count=127:glibc.malloc.hugetlb=1',
}

/** A program of this folder that prints a ready line. */
export async function startProgram(
  file: string,
  args: readonly string[] = [],
  itsOwn: Environment = {},
): Promise<Contestant> {
  const began = performance.now()
  // Their warnings about loopback are theirs; an error ends the process, which is noticed.
  const program = [join(import.meta.dirname, file), ...args]
  const env = { ...process.env, ...allocator, ...itsOwn }
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'ignore'], env })
  const readyLine = new Promise<{ readonly port: number; readonly pid: number }>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes('"event":"ready"')) resolve(JSON.parse(line) as { port: number; pid: number })
    })
  })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended before it was ready`)))
  const { port, pid } = await Promise.race([readyLine, ended])
  ended.catch(() => {})
  return { port, pid, readyAfter: performance.now() - began, stop: () => stopped(child) }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

export const seed = {
  resources: [{ identifier: audience, name: 'Bench', token_format: 'jwt' }],
  scopes: [{ name: scope, description: 'What the measurement asks for', resource: audience }],
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      grant_types: ['client_credentials'],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_basic',
      scope,
    },
  ],
}

/** No limits, because the limits of one client are far below what one machine can do. */
export const proxied: Environment = {
  ...allocator,
  GRANTOR_TRUST_PROXY: 'loopback',
  GRANTOR_ISSUER: 'https://localhost:8443',
  GRANTOR_LOG: 'warn',
  GRANTOR_LIMIT_TOKEN: 'off',
  GRANTOR_LIMIT_TOKEN_FAILURES: 'off',
  GRANTOR_LIMIT_AUTHORIZE: 'off',
  GRANTOR_LIMIT_DEVICE_REQUESTS: 'off',
}

/** `grantor start` behind a proxy that it trusts: the only plain HTTP it speaks. `command`: of another checkout. */
export async function startGrantor(folder: Folder, env: Environment, command = grantorCommand): Promise<Contestant> {
  const server = await startServer({
    data: folder.path,
    seed: folder.write('seed.json', seed),
    env: { ...proxied, ...env },
    command,
  })
  const { port, pid, readyAfter } = server
  return { port, pid, readyAfter, stop: async () => void (await server.stop()) }
}
