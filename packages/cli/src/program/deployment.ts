/** Opens the house for a command and closes it again: settings, store and authority, without HTTP. */
import { CannotStart, compose, type Deployment } from '@grantor/server'
import { StoreRefused, StoreUnavailable } from '@grantor/store'
import { type Ending, failure, type Failure } from './exit.ts'
import { settle } from './settings.ts'
import type { Call } from './command.ts'

export async function withHouse(call: Call, work: (house: Deployment) => Promise<Ending>): Promise<Ending> {
  const read = settle(call)
  if (!read.ok) return read.failure
  try {
    const house = await compose(read.settled.settings)
    try {
      return await work(house)
    } finally {
      await house.close()
    }
  } catch (error) {
    const known = troubleOf(error)
    if (known === null) throw error
    return known
  }
}

/** For what happens within one tenant: a name that nobody has is said at once, and not taken for an empty tenant. */
export const withTenant = (call: Call, work: (house: Deployment) => Promise<Ending>): Promise<Ending> =>
  withHouse(call, async (house) => {
    const catalogue = await house.store.directory.catalogue(call.tenant)
    if (catalogue !== null) return work(house)
    return failure('absent', `there is no tenant ${call.tenant}`, {
      fix: '`grantor tenant list` shows the ones there are',
    })
  })

/** What a house may say instead of opening; anything else that is thrown is a bug. */
export function troubleOf(error: unknown): Failure | null {
  if (error instanceof CannotStart || error instanceof StoreRefused) return failure('failed', error.message)
  if (!(error instanceof StoreUnavailable)) return null
  return failure('unavailable', `the database cannot be used: ${error.message}`, {
    fix: 'run `grantor doctor`; it says what is away',
  })
}
