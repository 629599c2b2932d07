/** `grantor restore` */
import { existsSync } from 'node:fs'
import { chmod, copyFile, link, mkdir, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type Err, ok } from '@grantor/protocol/result'
import { compose, masterKeyFile, type Settings, sqliteFile, usesPostgres } from '@grantor/server'
import { argument, type Command, type CommandContext } from '../program/command.ts'
import { confirmAction, yesOption } from '../program/confirm.ts'
import { orOpeningFailure } from '../program/deployment.ts'
import {
  adminFailure,
  type CommandFailure,
  type CommandResult,
  done,
  type ExitResult,
  failure,
} from '../program/exit.ts'
import { operator } from '../program/operator.ts'
import { readSettings } from '../program/settings.ts'

export const restore: Command = {
  name: 'restore',
  description:
    'put a backup back; tokens, sessions and grants from before are void, because the backup has forgotten what was revoked since',
  args: [
    { form: '[file]', description: 'a file made by `grantor backup`; on PostgreSQL none: run it after pg_restore' },
  ],
  options: [yesOption],
  run: async (context) => {
    const read = readSettings(context)
    if (read.kind === 'error') return read
    const { settings } = read.value
    if (usesPostgres(settings)) return afterPgRestore(context, settings)
    if (argument(context, 0) === '') return failure('invalid', 'which backup? name the file')
    const file = resolve(context.environment.cwd, argument(context, 0))
    const problem = (await backupProblem(file)) ?? targetProblem(settings) ?? masterKeyProblem(settings)
    return problem ?? restoreFile(context, settings, file)
  },
}

/** PostgreSQL has its own tools for restoring data, but they cannot begin a new epoch. */
async function afterPgRestore(context: CommandContext, settings: Settings): Promise<ExitResult> {
  if (argument(context, 0) !== '') {
    return failure('invalid', 'this deployment uses PostgreSQL', {
      fix: 'put the data back with pg_restore, then run `grantor restore` without a file before the first start',
    })
  }
  if (!(await confirmAction(context, 'Void every token, session and grant that this database holds?'))) return done
  const epoch = await beginEpoch(settings, 'PostgreSQL')
  if (epoch.kind === 'error') return epoch
  await context.out.record({ epoch: epoch.value }, [['epoch', epoch.value]])
  return done
}

const header = 'SQLite format 3\0'

async function backupProblem(file: string): Promise<Err<CommandFailure> | null> {
  if (!existsSync(file)) return failure('absent', `there is no file ${file}`)
  if (!(await stat(file)).isFile()) return failure('invalid', `${file} is no file`)
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(header.length), 0, header.length, 0)
  return buffer.toString('latin1', 0, bytesRead) === header
    ? null
    : failure('invalid', `${file} is not a backup of grantor`)
}

function targetProblem(settings: Settings): Err<CommandFailure> | null {
  // SQLite would replay journal files that a dead server left there into the restored file.
  const there = ['', '-wal', '-journal'].map((end) => sqliteFile(settings) + end).filter((file) => existsSync(file))
  if (there.length === 0) return null
  return failure('conflict', `${there.join(' and ')} is there, and a restore never overwrites`, {
    fix: `stop the server and move ${sqliteFile(settings)}* away, or name another folder with --data`,
  })
}

function masterKeyProblem(settings: Settings): Err<CommandFailure> | null {
  if (settings.masterKey !== null || existsSync(masterKeyFile(settings))) return null
  return failure('invalid', 'the master key of the backup is missing', {
    fix: `put it at ${masterKeyFile(settings)} (mode 600), or give GRANTOR_MASTER_KEY`,
  })
}

/**
 * Works on a copy in a temporary folder, which gets its final name at the end, so that a restore is whole or absent.
 */
async function restoreFile(context: CommandContext, settings: Settings, file: string): Promise<ExitResult> {
  await mkdir(settings.data, { recursive: true, mode: 0o700 })
  const staging = await mkdtemp(join(settings.data, 'restore-'))
  try {
    const masterKey = settings.masterKey ?? (await readFile(masterKeyFile(settings), 'utf8')).trim()
    const staged = { ...settings, data: staging, masterKey }
    await context.out.progress('copying', () => copyFile(file, sqliteFile(staged)))
    // The copy has the mode of the backup file.
    await chmod(sqliteFile(staged), 0o600)
    const epoch = await beginEpoch(staged, basename(file))
    if (epoch.kind === 'error') return epoch
    const unfinished = unfinishedProblem(staged, settings.data)
    if (unfinished !== null) return unfinished
    await sync(sqliteFile(staged))
    // Unlike a rename, a link fails if the file was created in the meantime.
    await link(sqliteFile(staged), sqliteFile(settings))
    await sync(settings.data)
    await context.out.record({ restored: sqliteFile(settings), epoch: epoch.value }, [
      ['restored', sqliteFile(settings)],
      ['epoch', epoch.value],
    ])
    return done
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** If SQLite could not checkpoint its WAL at closing, the new epoch would be missing from the file. */
function unfinishedProblem(staged: Settings, folder: string): Err<CommandFailure> | null {
  if (!existsSync(`${sqliteFile(staged)}-wal`)) return null
  return failure('failed', 'the new epoch could not be written into the copy, and nothing was put in place', {
    fix: `see that the disk of ${folder} has room and that no other program opens files there, then run the command again`,
  })
}

async function sync(path: string): Promise<void> {
  await using handle = await open(path)
  await handle.sync()
}

const beginEpoch = (settings: Settings, from: string): Promise<CommandResult<string>> =>
  orOpeningFailure(async () => {
    const deployment = await compose(settings)
    try {
      const restored = await deployment.authority.admin.deployment.restored(operator(), from)
      return restored.kind === 'ok' ? ok(restored.value) : adminFailure(restored.error)
    } finally {
      await deployment.close()
    }
  })
