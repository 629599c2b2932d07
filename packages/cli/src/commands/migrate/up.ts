/** `grantor migrate up` */
import { compose, readSchemaState, type Settings } from '@grantor/server'
import type { SchemaState } from '@grantor/store'
import { type Command, type CommandContext, type CommandOption, hasFlag } from '../../program/command.ts'
import { orOpeningFailure } from '../../program/deployment.ts'
import { done, type ExitResult, failure } from '../../program/exit.ts'
import { readSettings } from '../../program/settings.ts'
import { plannedMigration, planText } from './migration-rows.ts'

const planOption: CommandOption = { flag: '--plan', description: 'say what would be done, and do nothing' }
const olderNodesStopped: CommandOption = {
  flag: '--older-nodes-stopped',
  description: 'every node of an older version is stopped: do also what they would stumble over',
}

export const migrateUp: Command = {
  name: 'up',
  description:
    'bring the schema of the database to this version, as its next start would; what was cut off goes on where it was',
  options: [planOption, olderNodesStopped],
  run: async (context) => {
    const read = readSettings(context)
    if (read.kind === 'error') return read
    const { settings } = read.value
    return orOpeningFailure(async () => {
      const state = await readSchemaState(settings)
      if (state === null) return failure('absent', 'there is no database yet', { fix: '`grantor start` makes it' })
      return hasFlag(context, planOption.flag) ? showPlan(context, state) : migrate(context, settings, state)
    })
  },
}

async function showPlan(context: CommandContext, state: SchemaState): Promise<ExitResult> {
  const plan = state.pending.map(plannedMigration)
  const unfinished = state.unfinished.map(({ number, name, done: rows }) => ({ number, name, rows_done: rows }))
  const going = unfinished.map(({ name, rows_done }) => `${name}: goes on after ${rows_done} rows\n`).join('')
  await context.out.document({ pending: plan, unfinished, refusal: state.refusal }, going + planText(plan))
  if (plan.length + unfinished.length === 0) await context.out.remark('Nothing is to be done.')
  if (state.refusal !== null) await context.out.remark(state.refusal)
  return done
}

async function migrate(context: CommandContext, settings: Settings, state: SchemaState): Promise<ExitResult> {
  const applied: { readonly number: number; readonly name: string }[] = []
  await context.out.progress('migrating', async (report) => {
    const deployment = await compose(settings, 'command', {
      olderNodesStopped: hasFlag(context, olderNodesStopped.flag),
      report: ({ number, name }, count, total) => {
        if (applied.at(-1)?.number !== number) applied.push({ number, name })
        report(count, total)
      },
    })
    await deployment.close()
  })
  const rows = applied.map(({ number, name }) => [number, name])
  const empty = state.newer.length > 0 ? 'Nothing is to be done; the database is newer.' : 'Nothing is to be done.'
  await context.out.list(applied, { columns: ['number', 'name'], rows, empty })
  return done
}
