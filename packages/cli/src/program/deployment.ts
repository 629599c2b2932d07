/** Opens the deployment for a command and closes it again: settings, store and authority, without HTTP. */
import type { Err } from '@grantor/protocol/result'
import { compose, type Deployment, readSchemaState, type Settings, StartError, usesPostgres } from '@grantor/server'
import { StoreRefused, StoreUnavailable } from '@grantor/store'
import type { CommandContext } from './command.ts'
import { type CommandFailure, type CommandResult, type ExitResult, failure } from './exit.ts'
import { fileFailure } from './file-failure.ts'
import { readSettings } from './settings.ts'

type Work = (deployment: Deployment) => Promise<ExitResult>

/** Creates the database if it does not exist, and says so. */
export const withDeployment = (context: CommandContext, work: Work): Promise<ExitResult> =>
  withSettings(context, async (settings) => {
    const isNew = (await readSchemaState(settings)) === null
    return withOpen(settings, async (deployment) => {
      if (isNew) await context.out.remark(`There was no database in ${placeOf(settings)}; a new one was made.`)
      return work(deployment)
    })
  })

/** For commands that need an existing database: a new one in a wrong folder would pass every check. */
export const withDatabase: typeof withDeployment = (context, work) =>
  withSettings(context, async (settings) => {
    if ((await readSchemaState(settings)) !== null) return withOpen(settings, work)
    return failure('absent', `there is no database in ${placeOf(settings)}`, {
      fix: 'name its settings with --config, or its folder with --data',
    })
  })

const placeOf = (settings: Settings): string =>
  usesPostgres(settings) ? `the schema ${settings.databaseSchema} of PostgreSQL` : settings.data

async function withOpen(settings: Settings, work: Work): Promise<ExitResult> {
  const deployment = await compose(settings)
  try {
    return await work(deployment)
  } finally {
    await deployment.close()
  }
}

async function withSettings(
  context: CommandContext,
  work: (settings: Settings) => Promise<ExitResult>,
): Promise<ExitResult> {
  const read = readSettings(context)
  return read.kind === 'ok' ? orOpeningFailure(() => work(read.value.settings)) : read
}

const within =
  (open: typeof withDeployment): typeof withDeployment =>
  (context, work) =>
    open(context, async (deployment) => {
      const catalogue = await deployment.store.directory.catalogue(context.tenant)
      if (catalogue !== null) return work(deployment)
      return failure('absent', `there is no tenant ${context.tenant}`, {
        fix: '`grantor tenant list` shows the ones there are',
      })
    })

/** For commands within one tenant: an unknown tenant is an error, and is not treated as an empty one. */
export const withTenant = within(withDeployment)

/** The same with an existing database. */
export const withExistingTenant = within(withDatabase)

/** Turns the known reasons why a deployment does not open into failures; anything else that is thrown is a bug. */
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
