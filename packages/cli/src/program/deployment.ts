/** Opens the deployment for a command and closes it again: settings, store and authority, without HTTP. */
import type { Err } from '@grantor/protocol/result'
import { StartError, compose, type Deployment } from '@grantor/server'
import { StoreRefused, StoreUnavailable } from '@grantor/store'
import type { CommandContext } from './command.ts'
import { type CommandFailure, type CommandResult, type ExitResult, failure } from './exit.ts'
import { fileFailure } from './file-failure.ts'
import { readSettings } from './settings.ts'

type Work = (deployment: Deployment) => Promise<ExitResult>

export async function withDeployment(context: CommandContext, work: Work): Promise<ExitResult> {
  const read = readSettings(context)
  if (read.kind === 'error') return read
  return orOpeningFailure(async () => {
    const deployment = await compose(read.value.settings)
    try {
      return await work(deployment)
    } finally {
      await deployment.close()
    }
  })
}

/** For what happens within one tenant: a name that nobody has is said at once, and not taken for an empty tenant. */
export const withTenant = (context: CommandContext, work: Work): Promise<ExitResult> =>
  withDeployment(context, async (deployment) => {
    const catalogue = await deployment.store.directory.catalogue(context.tenant)
    if (catalogue !== null) return work(deployment)
    return failure('absent', `there is no tenant ${context.tenant}`, {
      fix: '`grantor tenant list` shows the ones there are',
    })
  })

/** What a deployment may say instead of opening becomes a failure; anything else that is thrown is a bug. */
export async function orOpeningFailure<T>(work: () => Promise<CommandResult<T>>): Promise<CommandResult<T>> {
  try {
    return await work()
  } catch (error) {
    const known = openingFailure(error)
    if (known === null) throw error
    return known
  }
}

export function openingFailure(error: unknown): Err<CommandFailure> | null {
  if (error instanceof StartError || error instanceof StoreRefused) return failure('failed', error.message)
  if (!(error instanceof StoreUnavailable)) return fileFailure(error)
  return failure('unavailable', `the database cannot be used: ${error.message}`, {
    fix: 'run `grantor doctor`; it says what is away',
  })
}
