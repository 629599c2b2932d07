/** The objects that the demo declares: the resource Orders, its scopes, clients of every kind, and Alice. */
import type { Declaration } from '@grantor/authority'
import { webClientName } from '@grantor/demo/web-client-name'
import type { JsonObject } from '@grantor/protocol/types'
import type { DemoSecrets } from './demo-secrets.ts'

const ordersScope = 'orders:read orders:write orders:delete'

interface DemoParts {
  /** Whether to declare clients and a person for visitors; Orders' own client is always declared. */
  readonly withVisitors: boolean
  /** Whether the device flow is on. */
  readonly withDevices: boolean
}

export function demoDeclaration(
  orders: string,
  secrets: DemoSecrets,
  { withVisitors, withDevices }: DemoParts,
): Declaration {
  const scope = (name: string, description: string, sensitivity: string): JsonObject => ({
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
      scope('orders:all', 'See the orders of everybody', 'high'),
    ],
    clients: [
      {
        client_id: 'demo-orders',
        client_name: 'Orders API',
        client_secret: secrets['demo-orders'],
        grant_types: ['client_credentials'],
        token_endpoint_auth_method: 'client_secret_basic',
        scope: 'revocations:read events:report',
        resource_server: orders,
      },
      ...(withVisitors ? visitorClients(orders, secrets) : []),
      ...(withVisitors && withDevices ? [deviceClient] : []),
    ],
    ...(withVisitors ? { users: [alice] } : {}),
  }
}

const alice: JsonObject = {
  username: 'alice',
  password: 'alice',
  name: 'Alice Doe',
  email: 'alice@example.com',
  email_verified: true,
}

const visitorClients = (orders: string, secrets: DemoSecrets): readonly JsonObject[] => [
  {
    client_id: 'demo-service',
    client_name: 'Demo service',
    client_secret: secrets['demo-service'],
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: `${ordersScope} orders:all`,
  },
  {
    client_id: 'demo-web',
    client_name: webClientName,
    client_secret: secrets['demo-web'],
    redirect_uris: [`${orders}/client/callback`],
    post_logout_redirect_uris: [`${orders}/client/signed-out`],
    initiate_login_uri: `${orders}/client/login`,
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: `openid profile email offline_access ${ordersScope}`,
  },
]

const deviceClient: JsonObject = {
  client_id: 'demo-device',
  client_name: 'Demo device',
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
  scope: `openid profile offline_access ${ordersScope}`,
}
