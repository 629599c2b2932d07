/** `grantor backup` */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { masterKeyFile } from '@grantor/server'
import type { Store } from '@grantor/store'
import { argument, type Command } from '../program/command.ts'
import { withDatabase } from '../program/deployment.ts'
import { done, failure } from '../program/exit.ts'

export const backup: Command = {
  name: 'backup',
  description: 'copy the SQLite database into a file, whole and consistent, while the server runs',
  args: [{ form: '<file>', description: 'where the copy goes; an existing file is never overwritten' }],
  run: (context) =>
    withDatabase(context, async ({ store, settings }) => {
      const file = resolve(context.environment.cwd, argument(context, 0))
      if (!isBackupStore(store))
        return failure('invalid', 'this deployment uses PostgreSQL', { fix: 'use pg_dump or a base backup' })
      if (existsSync(file)) return failure('conflict', `${file} exists already`, { fix: 'choose another name' })
      try {
        await context.out.progress('copying', () => store.backup(file))
      } catch (error) {
        return failure('failed', `${file} cannot be written: ${(error as Error).message}`, {
          fix: 'check the folder and the space on its disk',
        })
      }
      await context.out.record({ file }, [['backup', file]])
      const key = settings.masterKey === null ? masterKeyFile(settings) : 'GRANTOR_MASTER_KEY'
      await context.out.remark(
        `The master key is not in it. Keep ${key} safe elsewhere: the backup is of no use without it.`,
      )
      return done
    }),
}

/** Only the SQLite driver copies its own file; a PostgreSQL server has tools for that. */
type BackupStore = Store & { backup(file: string): Promise<void> }

const isBackupStore = (store: Store): store is BackupStore => 'backup' in store
