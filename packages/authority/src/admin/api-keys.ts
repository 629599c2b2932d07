/** Administration of API keys. A key is shown once, in the answer to the act that created it. */
import type { Actor } from '@grantor/protocol/events'
import {
  type ApiKey,
  apiKeyOf,
  checkNewKey,
  formatScope,
  type NewKeyInput,
  ownKeyScopes,
} from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { Secret, TenantId, TokenId } from '@grantor/protocol/types'
import type { ApiKeyPage, Store } from '@grantor/store'
import { keyRevoked } from '../api-keys/revoked.ts'
import { type EventDependencies, localOrigin, newEvent } from '../events.ts'
import type { Ids, Issuers } from '../ports/environment.ts'
import type { AdminResult } from './result.ts'

export interface ApiKeyAdmin {
  create(
    by: Actor,
    tenant: TenantId,
    input: NewKeyInput,
  ): Promise<AdminResult<{ readonly apiKey: ApiKey; readonly key: Secret }>>
  /**
   * The scopes of the server's own API that such a key would open, separated by spaces; '' where the key is for another
   * API.
   */
  ownScope(tenant: TenantId, input: Pick<NewKeyInput, 'resource' | 'scope'>): Promise<AdminResult<string>>
  list(tenant: TenantId, page: ApiKeyPage): Promise<AdminResult<readonly ApiKey[]>>
  find(tenant: TenantId, id: string): Promise<AdminResult<ApiKey>>
  revoke(by: Actor, tenant: TenantId, id: string): Promise<AdminResult<null>>
}

export interface ApiKeyAdminDependencies extends EventDependencies {
  readonly ids: Ids
  readonly issuers: Issuers
  readonly store: Pick<Store, 'apiKeys' | 'clients' | 'directory'>
}

export function openApiKeyAdmin(deps: ApiKeyAdminDependencies): ApiKeyAdmin {
  const { ids, clock, store, issuers } = deps
  const absent = (id: string) => err({ reason: 'absent', what: `API key ${id}` } as const)

  async function find(tenant: TenantId, id: string): Promise<AdminResult<ApiKey>> {
    const key = await store.apiKeys.find(tenant, id)
    return key === null ? absent(id) : ok(key)
  }

  return {
    find,
    ownScope: async (tenant, { resource, scope }) =>
      ok(resource === issuers.issuerOf(tenant) ? (scope ?? [...ownKeyScopes].join(' ')) : ''),
    async create(by, tenant, input) {
      const catalogue = await store.directory.catalogue(tenant)
      if (catalogue === null) return err({ reason: 'absent', what: `tenant ${tenant}` })
      const client = await store.clients.find(tenant, input.clientId)
      const now = clock.now()
      const issuer = issuers.issuerOf(tenant)
      const checked = checkNewKey(input, { client, catalogue, issuer, now })
      if (checked.kind === 'error') return err({ reason: 'invalid', problems: checked.error })
      const key = apiKeyOf(ids.salt())
      const made: ApiKey = {
        ...checked.value,
        tenant,
        id: ids.id(),
        createdAt: now,
        createdBy: by,
        lastUsedAt: null,
        revokedAt: null,
      }
      const row = { ...made, handle: ids.handleOf(key), ofIssuer: made.resource === issuer }
      const added = await store.apiKeys.add(row, [createdEvent(made, deps)])
      return added === 'added'
        ? ok({ apiKey: made, key })
        : err({ reason: 'conflict', what: 'the client or the resource was removed at the same moment' })
    },

    list: async (tenant, page) => ok(await store.apiKeys.list(tenant, page)),

    async revoke(by, tenant, id) {
      const held = await find(tenant, id)
      if (held.kind === 'error') return held
      const events = [keyRevoked(held.value, { origin: localOrigin(tenant), actor: by }, deps)]
      const revoked = await store.apiKeys.revoke({ tenant, id, at: clock.now(), events })
      return revoked === 'revoked' ? ok(null) : absent(id)
    },
  }
}

const createdEvent = (key: ApiKey, deps: EventDependencies) =>
  newEvent(deps, localOrigin(key.tenant), 'api_key.created', {
    actor: key.createdBy,
    clientId: key.clientId,
    jti: key.id as TokenId,
    scope: key.scope === null ? null : formatScope(key.scope),
    data: { name: key.name, resource: key.resource, addresses: key.addresses, expires_at: key.expiresAt },
  })
