/** `grantor migrate status` */
import { readSchemaState } from '@grantor/server'
import type { Command } from '../../program/command.ts'
import { orOpeningFailure } from '../../program/deployment.ts'
import { done, failure } from '../../program/exit.ts'
import { readSettings } from '../../program/settings.ts'
import { migrationRows, migrationTable } from './migration-rows.ts'

export const migrateStatus: Command = {
  name: 'status',
  description:
    'list what was done to the schema and what is to be done, and change nothing; ends with 0 where nothing is to be done, 4 where something is, 1 where this version does not work on the database, 3 where there is none yet',
  run: async (context) => {
    const read = readSettings(context)
    if (read.kind === 'error') return read
    return orOpeningFailure(async () => {
      const state = await readSchemaState(read.value.settings)
      if (state === null) return failure('absent', 'there is no database yet', { fix: '`grantor start` makes it' })
      const rows = migrationRows(state)
      await context.out.list(rows, migrationTable(rows))
      if (state.refusal !== null) return failure('failed', state.refusal)
      const open = state.pending.length + state.unfinished.length
      if (open === 0) return done
      return failure('conflict', open === 1 ? 'one migration is to be done' : `${open} migrations are to be done`, {
        fix: '`grantor migrate up --plan` says what they do; the next start of this version does them, too',
      })
    })
  },
}
