/** What the fleets declare: an API, a service that gets tokens for it, in the default tenant and in two others. */
import assert from 'node:assert/strict'
import { seed, service } from '../faults/service-client.ts'
import type { Node } from './fleet.ts'

export const tenants = ['acme', 'globex'] as const
export const declared = { ...seed, tenants: tenants.map((id) => ({ id, name: id, ...seed })) }

/** `''` is the default tenant. */
export const at = (tenant: string): string => (tenant === '' ? '' : `/t/${tenant}`)

export async function tokenOf(node: Pick<Node, 'send'>, tenant = ''): Promise<string> {
  const form = { grant_type: 'client_credentials', scope: 'invoices:read' }
  const { status, body } = await node.send(`${at(tenant)}/token`, { basic: service, form })
  assert.equal(status, 200, body)
  return (JSON.parse(body) as { access_token: string }).access_token
}

export async function isActive(node: Pick<Node, 'send'>, token: string, tenant = ''): Promise<boolean> {
  const { status, body } = await node.send(`${at(tenant)}/introspect`, { basic: service, form: { token } })
  assert.equal(status, 200, body)
  return (JSON.parse(body) as { active: boolean }).active
}

export const kidOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid

export async function publishedKids(node: Pick<Node, 'send'>, tenant = ''): Promise<readonly string[]> {
  const { status, body } = await node.send(`${at(tenant)}/jwks`)
  assert.equal(status, 200, body)
  return (JSON.parse(body) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
}
