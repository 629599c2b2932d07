/** The demo of DECISIONS §10: the Orders API beside the server, and the objects it needs. */
import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Declaration } from '@grantor/authority'
import type { House, Running } from '@grantor/server'
import { type Failure, refused } from '../../ending.ts'
import { startOrders } from './orders.ts'

export interface Demo {
  /** The audience of Orders, and where it answers if it runs. */
  readonly orders: string
  /** Null while there is no Orders API to start. */
  readonly port: number | null
  /** Null when a seed was given: then the demo declares no clients. */
  readonly secrets: DemoSecrets | null
  close(): Promise<void>
}

export interface DemoSecrets {
  readonly 'demo-service': string
  readonly 'demo-web': string
}

export async function openDemo(house: House, running: Running): Promise<Demo | Failure> {
  const { settings, authority } = house
  const orders = await startOrders(house, running)
  const port = orders?.port ?? settings.demoPort
  const url = `https://localhost:${port}`
  // Where a seed is given, it says who the clients are (DECISIONS §10).
  const secrets = settings.seed === null ? await secretsIn(settings.data) : null
  const applied = await authority.admin.declared.apply({ kind: 'system', id: 'demo' }, demoDeclaration(url, secrets))
  if (!applied.ok) {
    await orders?.close()
    return refused(applied.refusal)
  }
  return { orders: url, port: orders?.port ?? null, secrets, close: async () => orders?.close() }
}

const ordersScope = 'orders:read orders:write orders:delete'

function demoDeclaration(orders: string, secrets: DemoSecrets | null): Declaration {
  const scope = (name: string, description: string, sensitivity: string) => ({
    name,
    description,
    resource: orders,
    sensitivity,
  })
  return {
    resources: [{ identifier: orders, name: 'Orders', token_format: 'jwt' }],
    scopes: [
      scope('orders:read', 'See your orders', 'normal'),
      scope('orders:write', 'Place and change orders', 'normal'),
      scope('orders:delete', 'Delete orders', 'high'),
    ],
    ...(secrets === null ? {} : { clients: demoClients(orders, secrets) }),
  }
}

const demoClients = (orders: string, secrets: DemoSecrets): NonNullable<Declaration['clients']> => [
  {
    client_id: 'demo-service',
    client_name: 'Demo service',
    client_secret: secrets['demo-service'],
    grant_types: ['client_credentials'],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: ordersScope,
  },
  {
    client_id: 'demo-web',
    client_name: 'Demo web client',
    client_secret: secrets['demo-web'],
    redirect_uris: [`${orders}/client/callback`],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: `openid profile email offline_access ${ordersScope}`,
  },
  {
    client_id: 'demo-device',
    client_name: 'Demo device',
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    response_types: [],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    scope: `openid profile offline_access ${ordersScope}`,
  },
]

export const demoFile = (data: string): string => join(data, 'demo.json')

/** Made at the first start and kept, so that what was pasted yesterday works today. A public client has none. */
async function secretsIn(data: string): Promise<DemoSecrets> {
  const held = await readFile(demoFile(data), 'utf8').then(parsed, (): Partial<DemoSecrets> => ({}))
  const secrets: DemoSecrets = {
    'demo-service': held['demo-service'] ?? fresh(),
    'demo-web': held['demo-web'] ?? fresh(),
  }
  const draft = `${demoFile(data)}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(draft, demoFile(data))
  return secrets
}

const fresh = (): string => `gs_${randomBytes(32).toString('base64url')}`

function parsed(text: string): Partial<DemoSecrets> {
  try {
    const held = JSON.parse(text) as Readonly<Record<string, unknown>>
    const secret = (id: keyof DemoSecrets) =>
      typeof held[id] === 'string' && held[id].length >= 32 ? { [id]: held[id] } : {}
    return { ...secret('demo-service'), ...secret('demo-web') }
  } catch {
    return {}
  }
}
