/** /v1/api-keys: creates, lists and revokes API keys. A key is never changed, only replaced by another. */
import { collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import type { ApiKey } from '@grantor/protocol/oauth'
import type { Secret, TenantId } from '@grantor/protocol/types'
import { actorOf, adminProblem, found, listed, removed } from '../admin-problem.ts'
import { filterValue, idPage } from '../fields.ts'
import { receiptLink } from '../event-log/receipt-link.ts'
import { exceedsRights } from '../admin-rights.ts'
import {
  type ApiKeyBody,
  type ApiKeyDocument,
  apiKeyDocument,
  ApiKeySchema,
  exampleApiKey,
  newKeyInput,
} from './document.ts'

/** Only `last_used_at` of a key ever changes. */
const entryOf = (apiKey: ApiKey, key: Secret | null = null): StoredResource<ApiKeyDocument> => ({
  tenant: apiKey.tenant,
  version: apiKey.lastUsedAt ?? 0,
  modifiedAt: apiKey.lastUsedAt ?? apiKey.createdAt,
  value: apiKeyDocument(apiKey, key),
})

export function apiKeys({ admin }: Authority): Collection {
  const acts = admin.apiKeys
  return collection<typeof ApiKeySchema, ApiKeyBody>({
    name: 'api-keys',
    description: 'Keys that clients carry to one API instead of tokens',
    schema: ApiKeySchema,
    example: exampleApiKey,
    scopes: { read: 'admin:api-keys:read', write: 'admin:api-keys:write' },
    list: { filter: { client_id: ['eq'], resource: ['eq'] } },
    // One answer contains a key.
    cacheControl: 'no-store',
    statusLink: ({ id }) => receiptLink({ jti: id }),
    handlers: {
      async list(query, { tenant }) {
        const clientId = filterValue(query.filter, 'client_id')
        const resource = filterValue(query.filter, 'resource')
        const page = { clientId, resource, ...idPage(query) }
        return listed(await acts.list(tenant as TenantId, page), (it) => entryOf(it))
      },
      get: async (id, { tenant }) => found(await acts.find(tenant as TenantId, id), (it) => entryOf(it)),
      async create(body, { caller, tenant }) {
        const input = newKeyInput(body)
        const own = await acts.ownScope(tenant as TenantId, input)
        if (own.kind === 'error') return adminProblem(own.error)
        const refused = exceedsRights({ scope: own.value }, caller)
        if (refused !== null) return refused
        const made = await acts.create(actorOf(caller), tenant as TenantId, input)
        return made.kind === 'ok' ? entryOf(made.value.apiKey, made.value.key) : adminProblem(made.error)
      },
      remove: async (id, _expected, { caller, tenant }) =>
        removed(await acts.revoke(actorOf(caller), tenant as TenantId, id)),
    },
  })
}
