/** What became of what a person has just taken back: whether every validator has stopped it, or when the last one does. */
import { setTimeout as pause } from 'node:timers/promises'
import { isRevocation } from '@grantor/protocol/feed'
import type { Store } from '@grantor/store'
import type { Acknowledgements } from '../feed/acknowledgements.ts'
import type { Account } from '../interact/visitor.ts'
import type { Clock } from '../ports/environment.ts'

export interface OwnReceipt {
  readonly validators: number
  /** Seconds until the last of them has stopped it, at the latest; 0: all have. */
  readonly stopsWithin: number
}

export interface OwnReceiptDependencies {
  readonly clock: Clock
  readonly acknowledgements: Pick<Acknowledgements, 'receiptsOf'>
  readonly store: Pick<Store, 'events'>
}

/** Of the log, the newest: it happened a moment ago. */
const looked = 500
/** Milliseconds after which it is no news any more. */
const fresh = 120_000
/** Milliseconds that a page waits for validators, and between two looks. */
const patience = 1200
const lookAgain = 100

/** Null where nothing of theirs was revoked just now. */
export async function newestReceipt(
  { person }: Account,
  { acknowledgements, clock, store }: OwnReceiptDependencies,
): Promise<OwnReceipt | null> {
  const { tenant, id } = person
  await store.events.position()
  const since = clock.now() - fresh
  const newest = await store.events.before(tenant, Number.MAX_SAFE_INTEGER, looked)
  const revoked = newest.find((event) => event.subject === id && event.at >= since && isRevocation(event))
  if (revoked === undefined) return null
  for (let waited = 0; ; waited += lookAgain) {
    const [receipt = null] = await acknowledgements.receiptsOf(tenant, [revoked])
    if (receipt === null) return null
    const { validators, closesAt } = receipt
    if (receipt.waiting === 0) return { validators, stopsWithin: 0 }
    if (waited >= patience) return { validators, stopsWithin: Math.max(1, wholeUnits((closesAt ?? 0) - clock.now())) }
    await pause(lookAgain)
  }
}

/** In seconds, rounded up to whole minutes or hours where it is longer than one, as people say it. */
function wholeUnits(milliseconds: number): number {
  const unit = [3600, 60].find((it) => milliseconds > it * 1000) ?? 1
  return Math.ceil(milliseconds / (unit * 1000)) * unit
}
