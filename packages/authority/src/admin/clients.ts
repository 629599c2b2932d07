/** Administration of clients. A secret is shown once, in the answer to the act that made it. */
import { served } from '@grantor/protocol/documents'
import type { Actor } from '@grantor/protocol/events'
import {
  type Client,
  type ClientMetadata,
  clientIdProblem,
  clientMetadata,
  declaredSecretProblem,
  undeclaredScopes,
} from '@grantor/protocol/registration'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, Secret, TenantId } from '@grantor/protocol/types'
import type { ClientSecretRow, NewClient } from '@grantor/store'
import { newEvent, localOrigin } from '../events.ts'
import type { Admin } from './admin.ts'
import type { Hands } from '../hands.ts'
import type { AdminError, AdminResult } from './result.ts'

export function clientAdmin(hands: Hands): Admin['clients'] {
  const { store } = hands

  async function find(tenant: TenantId, id: string): Promise<AdminResult<Client>> {
    const client = await store.clients.find(tenant, id)
    return client === null ? err({ reason: 'absent', what: `client ${id}` }) : ok(client)
  }

  async function undeclaredIn(metadata: ClientMetadata, tenant: TenantId, held: ClientMetadata | null = null) {
    const catalogue = await store.directory.catalogue(tenant)
    return catalogue === null ? [] : undeclaredScopes(metadata, catalogue, held)
  }

  return {
    find,
    list: async (tenant, page) => ok(await store.clients.list(tenant, page)),

    async create(by, tenant, input) {
      const checked = clientMetadata(input.metadata, served)
      if (checked.kind === 'error') return err({ reason: 'invalid', problems: checked.error })
      const misnamed = input.id === undefined ? null : clientIdProblem(input.id)
      if (misnamed !== null) return err({ reason: 'invalid', problems: [{ field: 'client_id', problem: misnamed }] })
      const weak = input.secret === undefined ? null : declaredSecretProblem(input.secret)
      if (weak !== null) return err({ reason: 'invalid', problems: [{ field: 'client_secret', problem: weak }] })
      const undeclared = await undeclaredIn(checked.value, tenant)
      if (undeclared.length > 0) return err({ reason: 'invalid', problems: undeclared })
      const secret = secretFor(checked.value, input.secret, hands)
      const id = input.id ?? hands.ids.id()
      const client = newClient({ tenant, id, metadata: checked.value, secret, origin: 'manual' }, hands)
      const created = await store.clients.create(client, [registeredEvent(by, client, hands)])
      if (created === 'no-tenant') return err({ reason: 'absent', what: `tenant ${tenant}` })
      if (created === 'exists') return err({ reason: 'exists', what: `client ${id}` })
      const made = await find(tenant, id)
      return made.kind === 'ok' ? ok({ client: made.value, secret }) : made
    },

    async rotateSecret(by, tenant, { id, overlap }) {
      const held = await find(tenant, id)
      if (held.kind === 'error') return held
      if (!usesSecret(held.value.metadata)) {
        return err({ reason: 'conflict', what: `client ${id} does not authenticate with a secret` })
      }
      const secret = hands.ids.secret('gs_')
      const now = hands.clock.now()
      const rotated = await store.clients.rotateSecret({
        tenant,
        id,
        version: held.value.version,
        at: now,
        secret: secretRow(secret, now, hands),
        othersExpireAt: (now + overlap * 1000) as Instant,
        events: [
          newEvent(hands, localOrigin(tenant), 'client.secret_rotated', {
            actor: by,
            clientId: id,
            data: { overlap_seconds: overlap },
          }),
        ],
      })
      if (rotated === 'absent') return err({ reason: 'absent', what: `client ${id}` })
      if (rotated === 'changed-meanwhile') {
        return err(changedMeanwhile(id))
      }
      const client = await find(tenant, id)
      return client.kind === 'ok' ? ok({ client: client.value, secret }) : client
    },

    async replace(by, tenant, { id, version, metadata, disabled }) {
      const checked = clientMetadata(metadata, served)
      if (checked.kind === 'error') return err({ reason: 'invalid', problems: checked.error })
      const held = await find(tenant, id)
      if (held.kind === 'error') return held
      const now = hands.clock.now()
      const before = held.value
      const undeclared = await undeclaredIn(checked.value, tenant, before.metadata)
      if (undeclared.length > 0) return err({ reason: 'invalid', problems: undeclared })
      const secret = before.secrets.length === 0 ? secretFor(checked.value, undefined, hands) : null
      const secrets = usesSecret(checked.value) ? (secret === null ? null : [secretRow(secret, now, hands)]) : []
      const ends = disabled && before.disabledAt === null
      const replaced = await store.clients.replace({
        tenant,
        id,
        version,
        metadata: checked.value,
        disabledAt: disabled ? (before.disabledAt ?? now) : null,
        secrets,
        at: now,
        // `cutoff` tells the revocation feed that access was taken away.
        events: [
          newEvent(hands, localOrigin(tenant), 'client.updated', {
            actor: by,
            clientId: id,
            data: { disabled, cutoff: ends },
          }),
        ],
      })
      if (replaced === 'absent') return err({ reason: 'absent', what: `client ${id}` })
      if (replaced === 'changed-meanwhile') return err(changedMeanwhile(id))
      const client = await find(tenant, id)
      return client.kind === 'ok' ? ok({ client: client.value, secret }) : client
    },

    async remove(by, tenant, which) {
      const now = hands.clock.now()
      const id = typeof which === 'string' ? which : which.id
      const removed = await store.clients.remove(tenant, which, now, [
        newEvent(hands, localOrigin(tenant), 'client.deleted', { actor: by, clientId: id }),
      ])
      if (removed === 'changed-meanwhile') return err(changedMeanwhile(id))
      return removed === 'absent' ? err({ reason: 'absent', what: `client ${id}` }) : ok(null)
    },
  }
}

const changedMeanwhile = (id: string): AdminError => ({
  reason: 'conflict',
  what: `client ${id} was changed at the same moment; look before trying again`,
})

export const usesSecret = (metadata: ClientMetadata): boolean =>
  metadata.token_endpoint_auth_method === 'client_secret_basic' ||
  metadata.token_endpoint_auth_method === 'client_secret_post'

const secretFor = (metadata: ClientMetadata, declared: string | undefined, hands: Hands): Secret | null => {
  if (!usesSecret(metadata)) return null
  return declared === undefined ? hands.ids.secret('gs_') : (declared as Secret)
}

export const secretRow = (secret: Secret, now: Instant, hands: Pick<Hands, 'ids'>): ClientSecretRow => ({
  handle: hands.ids.handleOf(secret),
  createdAt: now,
  expiresAt: null,
})

interface ClientToMake extends Pick<NewClient, 'tenant' | 'id' | 'metadata' | 'origin'> {
  readonly secret: Secret | null
}

export function newClient({ secret, ...client }: ClientToMake, hands: Pick<Hands, 'clock' | 'ids'>): NewClient {
  const now = hands.clock.now()
  return { ...client, secrets: secret === null ? [] : [secretRow(secret, now, hands)], createdAt: now }
}

export const registeredEvent = (by: Actor, client: NewClient, hands: Hands) =>
  newEvent(hands, localOrigin(client.tenant), 'client.registered', {
    actor: by,
    clientId: client.id,
    scope: client.metadata.scope,
    data: {
      origin: client.origin,
      client_name: client.metadata.client_name ?? null,
      token_endpoint_auth_method: client.metadata.token_endpoint_auth_method,
      grant_types: client.metadata.grant_types,
    },
  })
