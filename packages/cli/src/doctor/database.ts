/** Can the deployment be opened, and is what it holds sound? */
import { err, ok, type Result } from '@grantor/protocol/result'
import {
  StartError,
  compose,
  type Deployment,
  missingDatabaseProblem,
  type Settings,
  sqliteFile,
  sqliteFileState,
  usesPostgres,
  failed,
  type Finding,
  passed,
} from '@grantor/server'
import { StoreRefused, StoreUnavailable } from '@grantor/store'
import { checkClients } from './clients.ts'
import { fileFailure } from '../program/file-failure.ts'
import { checkProfiles } from './profiles.ts'
import { checkTrustedIssuers } from './trusted-issuers.ts'
import { checkRows } from './unreadable-rows.ts'

/** Opens the deployment if it exists; a check must not create a database. */
export async function openIfThere(settings: Settings): Promise<Result<Deployment, Finding>> {
  const kind = usesPostgres(settings) ? 'PostgreSQL' : 'SQLite'
  try {
    if (!usesPostgres(settings) && (await sqliteFileState(settings)) !== 'ours') {
      const lost = missingDatabaseProblem(settings)
      if (lost !== null) return err(failed('database', lost, 'put the database back before the next start'))
      return err(passed('database', `${sqliteFile(settings)} is not there yet; the first start makes it`))
    }
    return ok(await compose(settings))
  } catch (error) {
    // For a wrong master key or a newer schema, the message itself says what to do.
    if (error instanceof StartError || error instanceof StoreRefused)
      return err(failed('opening', error.message, 'do as it says, then run the doctor again'))
    if (error instanceof StoreUnavailable)
      return err(
        failed(
          'database',
          `${kind} does not answer: ${error.message}`,
          usesPostgres(settings)
            ? 'check GRANTOR_DATABASE_URL and that the server runs'
            : 'check the file, its folder and the disk',
        ),
      )
    const file = fileFailure(error)
    if (file === null) throw error
    return err(failed('database', file.error.what, file.error.fix ?? ''))
  }
}

/** The slow checks: those that read whole tables or call other servers. */
export async function checkRecords(deployment: Deployment): Promise<readonly Finding[]> {
  return [
    ...(await checkClients(deployment)),
    ...(await checkProfiles(deployment)),
    ...(await checkTrustedIssuers(deployment)),
    ...(await checkRows(deployment)),
  ]
}
