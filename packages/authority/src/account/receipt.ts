/** The receipt of a person's recent revocation: whether every validator enforces it, or when the last one will. */
import { setTimeout as pause } from 'node:timers/promises'
import { isRevocation } from '@grantor/protocol/feed'
import type { Store } from '@grantor/store'
import type { Acknowledgements } from '../feed/acknowledgements.ts'
import type { Account } from '../interact/visitor.ts'
import type { Clock } from '../ports/environment.ts'

export interface OwnReceipt {
  readonly validators: number
  /** Seconds until the last validator enforces it, at most; 0: all do. */
  readonly stopsWithin: number
}

export interface OwnReceiptDependencies {
  readonly clock: Clock
  readonly acknowledgements: Pick<Acknowledgements, 'receiptsOf'>
  readonly store: Pick<Store, 'events'>
}

/** How many of the newest events are searched, since the revocation happened a moment ago. */
const looked = 500
/** Milliseconds after which a revocation is no longer reported. */
const fresh = 120_000
/** Milliseconds that a page waits for validators, and the interval of the checks. */
const patience = 1200
const lookAgain = 100

/** Null where the person revoked nothing recently. */
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

/** In seconds, rounded up to whole minutes or hours if it is longer than one. */
function wholeUnits(milliseconds: number): number {
  const unit = [3600, 60].find((it) => milliseconds > it * 1000) ?? 1
  return Math.ceil(milliseconds / (unit * 1000)) * unit
}
