/** The quick checks without outbound requests: `grantor doctor` begins with them, and the admin API shows them. */
import type { Deployment } from '../compose.ts'
import { usesPostgres } from '../config/conflicts.ts'
import { defaultTenant } from '../issuer.ts'
import { checkCertificate } from './certificate.ts'
import { checkDataFolder } from './data-folder.ts'
import { failed, type Finding, passed, warning } from './finding.ts'

export type CheckedDeployment = Pick<Deployment, 'authority' | 'settings' | 'issuer'> & {
  readonly store: Pick<Deployment['store'], 'ping'>
}

const day = 86_400_000

/** Throws where the database is away. */
export async function checkDeployment(deployment: CheckedDeployment, now: number): Promise<readonly Finding[]> {
  const { settings, issuer } = deployment
  return [
    ...(await checkDataFolder(settings)),
    await checkCertificate(settings, issuer.origin(), now),
    ...(await checkDatabase(deployment, now)),
  ]
}

export async function checkDatabase(deployment: CheckedDeployment, now: number): Promise<readonly Finding[]> {
  const { store, authority, settings } = deployment
  const kind = usesPostgres(settings) ? 'PostgreSQL' : 'SQLite'
  await store.ping()
  const keys = await authority.admin.keys.list(defaultTenant)
  const held = keys.kind === 'ok' ? keys.value.filter(({ state }) => state !== 'dropped').length : 0
  return [
    passed('database', `${kind} answers and its schema is current`),
    passed('master key', held === 0 ? 'opens the ring; no key is in it yet' : `opens the ring of ${held} signing keys`),
    await checkSigningKeys(deployment, now),
    await checkClock(deployment, now),
  ]
}

/** Warns of a signing key much older than its rotation, which should have been replaced automatically. */
async function checkSigningKeys({ authority, settings }: CheckedDeployment, now: number): Promise<Finding> {
  const check = 'signing keys'
  const keys = await authority.admin.keys.list(defaultTenant)
  const current = keys.kind === 'ok' ? keys.value.filter(({ state }) => state === 'current') : []
  if (current.length === 0) return passed(check, 'none yet; the first is made when it is needed')
  const text = current
    .map(({ alg, activatesAt }) => `${alg} has signed since ${new Date(activatesAt).toISOString().slice(0, 10)}`)
    .join(', ')
  const longest = (settings.keyRotation * 1000) / day + 1
  return current.some(({ activatesAt }) => (now - activatesAt) / day > longest)
    ? warning(check, text, 'they should have been replaced: look at the log, then `grantor key rotate`')
    : passed(check, text)
}

async function checkClock({ authority, settings }: CheckedDeployment, now: number): Promise<Finding> {
  const newest = await authority.admin.events.last(defaultTenant, 1)
  const at = newest.kind === 'ok' ? (newest.value[0]?.at ?? 0) : 0
  const ahead = Math.round((at - now) / 1000)
  if (ahead <= settings.leeway) return passed('clock', new Date(now).toISOString())
  return failed(
    'clock',
    `the newest event is ${ahead} s in the future`,
    'the clock was set back, or another node is ahead: let a time service set it',
  )
}
