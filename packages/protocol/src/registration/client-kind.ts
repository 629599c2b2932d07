/** The kind of a client, derived from its metadata (RFC 7591 §2): for lists that people read, never for a decision. */
import { feedScope } from '../feed/feed.ts'
import { deviceGrant } from '../grants/grant-types.ts'
import type { ClientMetadata } from './client-fields.ts'

export const clientKinds = ['web', 'spa', 'native', 'device', 'machine', 'mcp'] as const
export type ClientKind = (typeof clientKinds)[number]

/** An MCP server is a machine with the feed scope: it validates tokens of agents, and must learn which were revoked. */
export function clientKind(metadata: ClientMetadata): ClientKind {
  const { grant_types: grants, scope, application_type: type, token_endpoint_auth_method: method } = metadata
  if (grants.includes(deviceGrant)) return 'device'
  if (!grants.includes('authorization_code')) return scope.split(' ').includes(feedScope) ? 'mcp' : 'machine'
  if (type === 'native') return 'native'
  return method === 'none' ? 'spa' : 'web'
}
