/** What the errors of PostgreSQL and of its driver mean. */
import pg from 'pg'
import { StoreRefused, StoreUnavailable } from '../../contract/store.ts'

/** Everything that is asked of pg goes through here, so that only its errors are taken for the database's. */
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

/** A lock was not to be had in the time that we gave it, or the role. */
const lockTimeout = '55P03'

/** By who says it and not by its look: EPIPE and EPERM are five capitals, too. */
const hasSqlState = (error: unknown): boolean => error instanceof pg.DatabaseError && codeOf(error) !== ''

/**
 * What speaks of the server and not of the statement. Without a SQLSTATE it is the network or the driver that spoke.
 * Classes: connection (08), resources (53), operator (57, our time limits included), system (58), no such database (3D),
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
 * Two verbs got in each other's way: serialization failure, deadlock, and a unique key that a guard saw too early; or a
 * migration came between.
 */
export const isCollision = (error: unknown): boolean =>
  isContention(error) || codeOf(error) === '23505' || isOutdatedPlan(error)

export const isContention = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

/** A table has other columns than when the statement was prepared. PostgreSQL has one code for all it does not support. */
export const isOutdatedPlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && (error as { readonly routine?: unknown }).routine === 'RevalidateCachedQuery'

/** What `orUnavailable` has made of the server's word that its disk has no room. */
export const isFullDisk = (error: unknown): boolean =>
  error instanceof StoreUnavailable && codeOf(error.cause) === '53100'

export const isLockTimeout = (error: unknown): boolean =>
  codeOf(error instanceof StoreUnavailable ? error.cause : error) === lockTimeout

/**
 * No connection is to be had, there or here, or all of ours were in use for too long: that says nothing against those
 * there are.
 */
export const isNoRoom = (error: unknown): boolean =>
  ['53300', 'EMFILE', 'ENFILE'].includes(codeOf(error)) || (error as Error | null)?.message === poolBusy

/** What pg's pool says, without a code, to whoever waited in vain for one of its connections. */
const poolBusy = 'timeout exceeded when trying to connect'

/** What a statement names (an object, a table) is not there, because another node was here first. */
export const isMissing = (error: unknown): boolean => ['42704', '42P01'].includes(codeOf(error))

/** A row is not what a constraint says. */
export const isViolation = (error: unknown): boolean => codeOf(error) === '23514'

/** A text that PostgreSQL cannot hold (NUL) is in no row of it. */
export const isUnstorable = (error: unknown): boolean => codeOf(error) === '22021'

export const unavailable = (cause: unknown): StoreUnavailable =>
  new StoreUnavailable(`PostgreSQL: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
