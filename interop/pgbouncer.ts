/** PgBouncer, as Debian packages it: brought where that is possible, and run in transaction mode before a database. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { ensureDebianProgram } from './debian.ts'
import { temporaryFolder } from './server.ts'

const program = '/usr/sbin/pgbouncer'

/** Null where it is there, or was put there; else why its tests are skipped. */
export const ensurePgBouncer = (): string | null =>
  ensureDebianProgram({ name: 'PgBouncer', packages: 'pgbouncer', files: [program] })

export const hasPgBouncer = (): boolean => existsSync(program)

export interface PgBouncer extends AsyncDisposable {
  /** The address of the database with this user, through the pooler. */
  urlOf(user: string): string
}

/** `users` have their own name as their password. Three connections serve them all, so that they really share. */
export async function startPgBouncer(databaseUrl: string, users: readonly string[]): Promise<PgBouncer> {
  const folder = temporaryFolder()
  chmodSync(folder.path, 0o755)
  const { hostname, port, pathname } = new URL(databaseUrl)
  const own = await freePort()
  const list = folder.write('users.txt', users.map((user) => `"${user}" "${user}"\n`).join(''))
  const settings = folder.write(
    'pgbouncer.ini',
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = plain
auth_file = ${list}
pool_mode = transaction
default_pool_size = 3
max_client_conn = 500
server_idle_timeout = 5
`,
  )
  for (const file of [list, settings]) chmodSync(file, 0o644)
  // It does not run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn(program, ['-q', settings], { ...nobody, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const exited = once(child, 'exit')
  for (let n = 0; !(await accepts(own)); n++) {
    if (child.exitCode !== null || n > 600) throw new Error(`PgBouncer did not start:\n${said}`)
    await setTimeout(50)
  }
  return {
    urlOf: (user) => `postgres://${user}:${user}@127.0.0.1:${own}${pathname}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT')
      await setTimeout(0)
      child.kill('SIGTERM')
      await exited
      folder[Symbol.dispose]()
    },
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((tell) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('connect', () => (socket.destroy(), tell(true)))
    socket.on('error', () => tell(false))
  })

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}
