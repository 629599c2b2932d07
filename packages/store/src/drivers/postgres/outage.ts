/** Classifies the errors of PostgreSQL and of its driver. */
import pg from 'pg'
import { StoreRefused, StoreUnavailable } from '../../contract/store.ts'

/** All calls of pg go through here, so that only pg's errors are taken for the database's. */
export async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const ours = error instanceof StoreRefused || error instanceof StoreUnavailable
    throw !ours && isOutage(error) ? unavailable(error) : error
  }
}

const codeOf = (error: unknown): string => {
  const code = (error as { readonly code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

/** A lock was not obtained within our lock timeout, or the role's. */
const lockTimeout = '55P03'

/** By class and not by the form of the code: EPIPE and EPERM have five capitals, too. */
const hasSqlState = (error: unknown): boolean => error instanceof pg.DatabaseError && codeOf(error) !== ''

/**
 * Errors of the server, not of the statement. An error without a SQLSTATE comes from the network or the driver.
 * Classes: connection (08), resources (53), operator (57, our timeouts included), system (58), no such database (3D),
 * no access (28).
 */
const outages: ReadonlySet<string> = new Set([
  '25006', // read-only
  '25P03', // too long idle in a transaction
  '25P04', // too long a transaction, by a limit of the role or the database
  '26000', // a pooler forgot what was prepared: another connection is told anew
  lockTimeout,
  'XX001', // damaged data
  'XX002', // a damaged index
])

export function isOutage(error: unknown): boolean {
  if (!hasSqlState(error)) return true
  const code = codeOf(error)
  return /^(08|53|57|58|3D|28)/.test(code) || outages.has(code)
}

/**
 * Two verbs collided: serialization failure, deadlock, or a unique key that a guard did not see yet; or a migration
 * changed a table.
 */
export const isCollision = (error: unknown): boolean =>
  isContention(error) || codeOf(error) === '23505' || isOutdatedPlan(error)

export const isContention = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

/**
 * A table has other columns than when the statement was prepared. PostgreSQL has one code for everything it does not
 * support.
 */
export const isOutdatedPlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && (error as { readonly routine?: unknown }).routine === 'RevalidateCachedQuery'

/** Whether `orUnavailable` has wrapped the server's error that its disk is full. */
export const isFullDisk = (error: unknown): boolean =>
  error instanceof StoreUnavailable && codeOf(error.cause) === '53100'

export const isLockTimeout = (error: unknown): boolean =>
  codeOf(error instanceof StoreUnavailable ? error.cause : error) === lockTimeout

/**
 * No connection could be opened, by the server or by this process, or all of ours were in use for too long: the
 * existing connections are still good.
 */
export const isNoRoom = (error: unknown): boolean =>
  ['53300', 'EMFILE', 'ENFILE'].includes(codeOf(error)) || (error as Error | null)?.message === poolBusy

/** The message of pg's pool, without a code, when no connection became free in time. */
const poolBusy = 'timeout exceeded when trying to connect'

/** A table or another object of the statement does not exist, because another node was here first. */
export const isMissing = (error: unknown): boolean => ['42704', '42P01'].includes(codeOf(error))

/** A row violates a constraint. */
export const isViolation = (error: unknown): boolean => codeOf(error) === '23514'

/** A text that PostgreSQL cannot store (NUL), so no row contains it. */
export const isUnstorable = (error: unknown): boolean => codeOf(error) === '22021'

export const unavailable = (cause: unknown): StoreUnavailable =>
  new StoreUnavailable(`PostgreSQL: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
