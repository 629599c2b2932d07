/** The demo of DECISIONS §10: the Orders API beside the server, and the objects it needs. */
import type { Deployment, Running } from '@grantor/server'
import { type Failure, refused } from '../../program/exit.ts'
import { demoDeclaration } from './demo-objects.ts'
import { type DemoSecrets, demoSecrets } from './demo-secrets.ts'
import { placeOrders, startOrders } from './orders.ts'

export interface Demo {
  readonly orders: string
  readonly port: number
  /** Orders lets requests through already. */
  readonly ready: boolean
  /** Null when a seed was given: then the demo declares no clients to play with. */
  readonly secrets: DemoSecrets | null
  close(): Promise<void>
}

export async function openDemo(house: Deployment, running: Running): Promise<Demo | Failure> {
  const { settings, authority } = house
  const place = await placeOrders(house)
  const secrets = await demoSecrets(settings.data)
  // Where a seed is given, it says who the clients are.
  const players = settings.seed === null
  const wanted = demoDeclaration(place.url, secrets, players)
  const applied = await authority.admin.declared.apply({ kind: 'system', id: 'demo' }, wanted)
  if (!applied.ok) return refused(applied.refusal)
  const client = (clientId: keyof DemoSecrets) => ({ clientId, clientSecret: secrets[clientId] })
  const clients = { orders: client('demo-orders'), web: players ? client('demo-web') : null }
  const orders = await startOrders({ house, running }, place, clients)
  if ('kind' in orders) return orders
  const { ready, close } = orders
  return { orders: place.url, port: place.port, ready, secrets: players ? secrets : null, close }
}
