/** The sample orders of the first start: everybody who may call gets some, so that the first list is not empty. */
import { randomBytes } from 'node:crypto'
import type { Instant } from '@grantor/protocol/types'
import type { KeptOrderBody } from './order.ts'
import type { OrderOwner, OrdersTable } from './orders-table.ts'

/** Orders per owner: enough for several pages of a list, and for an export that takes a while. */
export const samplesOfEach = 120
/** Only so many owners get sample orders, because a seed may declare many people. */
export const mostOwners = 200

const goods = [
  ['tea-green-100g', 645],
  ['tea-earl-grey', 590],
  ['coffee-espresso-1kg', 2190],
  ['cup-blue', 1250],
  ['kettle-1l', 4900],
  ['honey-lime-500g', 820],
] as const
const statuses = ['open', 'paid', 'shipped', 'shipped'] as const
const hours = 3_600_000

export function insertSamples(insert: OrdersTable['insert'], owners: readonly OrderOwner[], now: Instant): void {
  for (const owner of owners.slice(0, mostOwners)) {
    for (let n = 0; n < samplesOfEach; n++) {
      const id = `ord_${randomBytes(16).toString('hex')}`
      insert(owner, id, sampleOrder(n), (now - (n + 1) * 7 * hours) as Instant)
    }
  }
}

function sampleOrder(n: number): KeptOrderBody {
  const [sku, price] = goods[n % goods.length] ?? goods[0]
  const qty = 1 + (n % 4)
  const status = statuses[Math.min(statuses.length - 1, Math.floor(n / 3))] ?? 'shipped'
  const currency = n % 10 === 9 ? 'GBP' : 'EUR'
  return { status, items: [{ sku, qty }], total: qty * price, currency }
}
