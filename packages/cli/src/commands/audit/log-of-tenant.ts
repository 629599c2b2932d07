/** Runs work on the log of a tenant. The log outlives its tenant; if both are missing, the name is wrong. */
import type { Deployment } from '@grantor/server'
import type { CommandContext } from '../../program/command.ts'
import { withDatabase } from '../../program/deployment.ts'
import { type ExitResult, failure } from '../../program/exit.ts'

export const withLog = (
  context: CommandContext,
  work: (deployment: Deployment) => Promise<ExitResult>,
): Promise<ExitResult> =>
  withDatabase(context, async (deployment) => {
    const { directory, events } = deployment.store
    const isThere = (await directory.catalogue(context.tenant)) !== null || (await events.head(context.tenant)) !== null
    return isThere ? work(deployment) : noLog(context)
  })

export const noLog = ({ tenant }: Pick<CommandContext, 'tenant'>): ExitResult =>
  failure('absent', `there is no tenant ${tenant}, and no log of one`, {
    fix: '`grantor tenant list` shows the ones there are',
  })
