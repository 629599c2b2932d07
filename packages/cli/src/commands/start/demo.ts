/** The demo: the Orders API beside the server, and the objects it needs. */
import { ok } from '@grantor/protocol/result'
import type { Deployment, RunningServer } from '@grantor/server'
import { adminFailure, type CommandResult } from '../../program/exit.ts'
import { demoDeclaration } from './demo-objects.ts'
import { type DemoSecrets, demoSecrets } from './demo-secrets.ts'
import { ordersAddress, startOrders } from './orders.ts'
import { ordersOwners } from './orders-owners.ts'

export interface Demo {
  readonly orders: string
  readonly port: number
  /** Where it asks for certificates. */
  readonly mtlsPort: number | null
  /** Orders lets requests through already. */
  readonly ready: boolean
  /** Null when a seed was given: then the demo declares no clients to play with. */
  readonly secrets: DemoSecrets | null
  renewCertificate(): Promise<void>
  close(): Promise<void>
}

export async function openDemo(deployment: Deployment, running: RunningServer): Promise<CommandResult<Demo>> {
  const { settings, authority } = deployment
  const address = await ordersAddress(settings)
  const secrets = await demoSecrets(settings.data)
  // Where a seed is given, it says who the clients are.
  const withVisitors = settings.seed === null
  const withDevices = settings.deviceFlow === 'on'
  const objects = demoDeclaration(address.url, secrets, { withVisitors, withDevices })
  const applied = await authority.admin.declared.apply({ kind: 'system', id: 'demo' }, objects, {
    prune: false,
    anyPassword: true,
  })
  if (applied.kind === 'error') return adminFailure(applied.error)
  const client = (clientId: keyof DemoSecrets) => ({ clientId, clientSecret: secrets[clientId] })
  const clients = { orders: client('demo-orders'), web: withVisitors ? client('demo-web') : null }
  const owners = () => ordersOwners(authority.admin)
  const orders = await startOrders({ settings, running, owners }, address, clients)
  if (orders.kind === 'error') return orders
  return ok({ orders: address.url, port: address.port, secrets: withVisitors ? secrets : null, ...orders.value })
}
