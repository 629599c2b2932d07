/** A device that asks for access and polls for it, for tests. */
import type { Authority, DeviceEndpointRequest } from '@grantor/authority'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { asking, declaration, declare, type Deployment, machine } from './deployment.ts'

const grant = 'urn:ietf:params:oauth:grant-type:device_code'

/** Two televisions with a secret and a stick without, one person, and another tenant with the same things. */
export async function declareDevices(deployment: Deployment): Promise<void> {
  const tv = (id: string): JsonObject => ({
    ...machine(id, 'openid profile offline_access invoices:read'),
    client_name: 'Television',
    grant_types: [grant, 'refresh_token'],
  })
  const stick: JsonObject = {
    client_id: 'stick',
    token_endpoint_auth_method: 'none',
    grant_types: [grant],
    scope: 'openid',
  }
  const objects = {
    ...declaration,
    clients: [...declaration.clients, tv('tv'), tv('tv2'), stick],
    users: [{ username: 'alice', password: 'correct-horse', name: 'Alice Doe' }],
  }
  await declare(deployment, { ...objects, tenants: [{ id: 'acme', name: 'Acme', ...objects }] })
}

export interface Polled {
  readonly error?: string
  readonly access_token?: string
  readonly refresh_token?: string
  readonly id_token?: string
}

interface Sender {
  readonly as?: string
  readonly tenant?: TenantId
}

export async function poll(authority: Authority, code: string, from: Sender = {}): Promise<Polled> {
  const body = new URLSearchParams({ grant_type: grant, device_code: code }).toString()
  const answer = await authority.token(asking(body, { as: 'tv', ...from }))
  return answer.kind === 'ok' ? answer.value : { error: answer.error.reason }
}

export class DeviceAtHome {
  readonly deviceCode: string
  readonly userCode: string
  readonly #authority: Authority

  constructor(authority: Authority, answer: JsonObject) {
    this.#authority = authority
    this.deviceCode = answer['device_code'] as string
    this.userCode = answer['user_code'] as string
  }

  static request(body: string, from: Sender = {}): DeviceEndpointRequest {
    return { ...asking(body, { as: 'tv', ...from }), ip: '198.51.100.7', userAgent: 'TV/1.0' }
  }

  static async ask(authority: Authority, body = 'scope=openid+offline_access+invoices:read'): Promise<DeviceAtHome> {
    const answer = await authority.deviceAuthorization(DeviceAtHome.request(body))
    if (answer.kind === 'error') throw new Error(answer.error.reason)
    return new DeviceAtHome(authority, answer.value)
  }

  poll = (): Promise<Polled> => poll(this.#authority, this.deviceCode)
}
