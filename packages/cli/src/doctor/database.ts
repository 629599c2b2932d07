/** Does the database answer, does the master key open the ring, does the clock agree with the log, and are clients sound? */
import { err, ok, type Result } from '@grantor/protocol/result'
import {
  StartError,
  compose,
  defaultTenant,
  type Deployment,
  missingDatabaseProblem,
  type Settings,
  sqliteFile,
  sqliteFileState,
  usesPostgres,
} from '@grantor/server'
import { StoreRefused, StoreUnavailable } from '@grantor/store'
import { checkClients } from './clients.ts'
import { fileFailure } from '../program/file-failure.ts'
import { failed, type Finding, passed } from './finding.ts'
import { checkProfiles } from './profiles.ts'
import { checkTrustedIssuers } from './trusted-issuers.ts'
import { checkRows } from './unreadable-rows.ts'

/** Opens the deployment if there is one; looking must not make a database. */
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
    // A wrong master key, a newer schema: the sentence itself says what to do.
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

export async function checkDatabase(deployment: Deployment, now: () => number): Promise<readonly Finding[]> {
  const { store, authority, settings } = deployment
  const kind = usesPostgres(settings) ? 'PostgreSQL' : 'SQLite'
  await store.ping()
  const keys = await authority.admin.keys.list(defaultTenant)
  const held = keys.kind === 'ok' ? keys.value.filter(({ state }) => state !== 'dropped').length : 0
  return [
    passed('database', `${kind} answers and its schema is current`),
    passed('master key', held === 0 ? 'opens the ring; no key is in it yet' : `opens the ring of ${held} signing keys`),
    await checkClock(authority, settings.leeway, now()),
    ...(await checkClients(deployment)),
    ...(await checkProfiles(deployment)),
    ...(await checkTrustedIssuers(deployment)),
    ...(await checkRows(deployment)),
  ]
}

async function checkClock({ admin }: Deployment['authority'], leeway: number, now: number): Promise<Finding> {
  const newest = await admin.events.last(defaultTenant, 1)
  const at = newest.kind === 'ok' ? (newest.value[0]?.at ?? 0) : 0
  const ahead = Math.round((at - now) / 1000)
  if (ahead <= leeway) return passed('clock', new Date(now).toISOString())
  return failed(
    'clock',
    `the newest event is ${ahead} s in the future`,
    'the clock was set back, or another node is ahead: let a time service set it',
  )
}
