/** The demo: runs the Orders API next to the server, and declares the objects it needs. */
import { ok } from '@grantor/protocol/result'
import type { Deployment, RunningServer } from '@grantor/server'
import { adminFailure, type CommandResult } from '../../program/exit.ts'
import { demoDeclaration } from './demo-objects.ts'
import { type DemoSecrets, demoSecrets } from './demo-secrets.ts'
import { type OrdersAddress, ordersAddress, startOrders } from './orders.ts'
import { ordersOwners } from './orders-owners.ts'

export interface Demo {
  readonly orders: string
  readonly port: number
  /** The port where it asks for client certificates. */
  readonly mtlsPort: number | null
  /** Whether Orders accepts requests already. */
  readonly ready: boolean
  /** Null when a seed is given: then the demo declares no clients for visitors. */
  readonly secrets: DemoSecrets | null
  renewCertificate(): Promise<void>
  close(): Promise<void>
}

/** A demo whose objects are declared, before Orders runs. */
export interface DeclaredDemo {
  readonly address: OrdersAddress
  readonly secrets: DemoSecrets
  /** Whether clients and a person for visitors are declared; false with a seed, which has its own. */
  readonly withVisitors: boolean
}

/** Called before the seed is applied, because its clients may have scopes of Orders. */
export async function declareDemo({ settings, authority }: Deployment): Promise<CommandResult<DeclaredDemo>> {
  const address = await ordersAddress(settings)
  const secrets = await demoSecrets(settings.data)
  const withVisitors = settings.seed === null
  const withDevices = settings.deviceFlow === 'on'
  const objects = demoDeclaration(address.url, secrets, { withVisitors, withDevices })
  const applied = await authority.admin.declared.apply({ kind: 'system', id: 'demo' }, objects, {
    prune: false,
    anyPassword: true,
  })
  return applied.kind === 'ok' ? ok({ address, secrets, withVisitors }) : adminFailure(applied.error)
}

export async function openDemo(
  { settings, authority }: Deployment,
  running: RunningServer,
  { address, secrets, withVisitors }: DeclaredDemo,
): Promise<CommandResult<Demo>> {
  const client = (clientId: keyof DemoSecrets) => ({ clientId, clientSecret: secrets[clientId] })
  const clients = { orders: client('demo-orders'), web: withVisitors ? client('demo-web') : null }
  const owners = () => ordersOwners(authority.admin)
  const orders = await startOrders({ settings, running, owners }, address, clients)
  if (orders.kind === 'error') return orders
  return ok({ orders: address.url, port: address.port, secrets: withVisitors ? secrets : null, ...orders.value })
}
