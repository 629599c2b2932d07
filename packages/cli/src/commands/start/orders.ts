/** Starts the Orders API, where it is installed; loaded only for the demo. */
import type { House, Running } from '@grantor/server'

export interface Orders {
  readonly port: number
  close(): Promise<void>
}

export async function startOrders(_house: House, _running: Running): Promise<Orders | null> {
  return null
}
