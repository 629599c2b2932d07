/** `grantor restore` */
import { existsSync } from 'node:fs'
import { copyFile, link, mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { compose, masterKeyFile, type Settings, sqliteFile, usesPostgres } from '@grantor/server'
import { operator } from '../program/operator.ts'
import { confirmed, yes } from '../program/confirm.ts'
import { done, type Ending, failure, type Failure, refused } from '../program/exit.ts'
import { troubleOf } from '../program/deployment.ts'
import { settle } from '../program/settings.ts'
import { arg, type Call, type Verb } from '../program/command.ts'

export const restore: Verb = {
  name: 'restore',
  says: 'put a backup back; tokens, sessions and grants from before are void, because the backup has forgotten what was revoked since',
  args: [{ form: '[file]', says: 'a file made by `grantor backup`; on PostgreSQL none: run it after pg_restore' }],
  options: [yes],
  run: async (call) => {
    const read = settle(call)
    if (!read.ok) return read.failure
    const { settings } = read.settled
    if (usesPostgres(settings)) return afterPgRestore(call, settings)
    if (arg(call, 0) === '') return failure('invalid', 'which backup? name the file')
    const file = resolve(call.world.cwd, arg(call, 0))
    const unfit = (await unfitBackup(file)) ?? occupied(settings) ?? missingKey(settings)
    return unfit ?? putBack(call, settings, file)
  },
}

/** PostgreSQL has its own tools to put data back; what they cannot do is to begin another life. */
async function afterPgRestore(call: Call, settings: Settings): Promise<Ending> {
  if (arg(call, 0) !== '') {
    return failure('invalid', 'this deployment uses PostgreSQL', {
      fix: 'put the data back with pg_restore, then run `grantor restore` without a file before the first start',
    })
  }
  if (!(await confirmed(call, 'Void every token, session and grant that this database holds?'))) return done
  const begun = await begin(settings, 'PostgreSQL')
  if (typeof begun !== 'string') return begun
  await call.out.record({ epoch: begun }, [['epoch', begun]])
  return done
}

const header = 'SQLite format 3\0'

async function unfitBackup(file: string): Promise<Failure | null> {
  if (!existsSync(file)) return failure('absent', `there is no file ${file}`)
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(header.length), 0, header.length, 0)
  return buffer.toString('latin1', 0, bytesRead) === header
    ? null
    : failure('invalid', `${file} is not a backup of grantor`)
}

function occupied(settings: Settings): Failure | null {
  const target = sqliteFile(settings)
  if (!existsSync(target)) return null
  return failure('conflict', `${target} is there, and a restore never overwrites`, {
    fix: 'stop the server and move it away, or name another folder with --data',
  })
}

function missingKey(settings: Settings): Failure | null {
  if (settings.masterKey !== null || existsSync(masterKeyFile(settings))) return null
  return failure('invalid', 'the master key of the backup is missing', {
    fix: `put it at ${masterKeyFile(settings)} (mode 600), or give GRANTOR_MASTER_KEY`,
  })
}

/** Works on a copy in a folder beside, and gives it its name at the very end: half a restore is no database. */
async function putBack(call: Call, settings: Settings, file: string): Promise<Ending> {
  await mkdir(settings.data, { recursive: true, mode: 0o700 })
  const staging = await mkdtemp(join(settings.data, 'restore-'))
  try {
    const masterKey = settings.masterKey ?? (await readFile(masterKeyFile(settings), 'utf8')).trim()
    const staged = { ...settings, data: staging, masterKey }
    await copyFile(file, sqliteFile(staged))
    const begun = await begin(staged, basename(file))
    if (typeof begun !== 'string') return begun
    // Unlike a rename, a link refuses to replace what came in the meantime.
    await link(sqliteFile(staged), sqliteFile(settings))
    await call.out.record({ restored: sqliteFile(settings), epoch: begun }, [
      ['restored', sqliteFile(settings)],
      ['epoch', begun],
    ])
    return done
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function begin(settings: Settings, from: string): Promise<string | Failure> {
  try {
    const house = await compose(settings)
    try {
      const restored = await house.authority.admin.deployment.restored(operator(), from)
      return restored.ok ? restored.value : refused(restored.refusal)
    } finally {
      await house.close()
    }
  } catch (error) {
    const known = troubleOf(error)
    if (known === null) throw error
    return known
  }
}
