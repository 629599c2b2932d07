/** Administration of clients. A secret is shown once, in the answer to the act that created it. */
import { heldToProfile, type Served } from '@grantor/protocol/documents'
import type { Actor } from '@grantor/protocol/events'
import {
  type Client,
  type ClientMetadata,
  clientMetadata,
  declaredSecretProblem,
  newClientIdProblem,
  undeclaredNames,
} from '@grantor/protocol/registration'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject, Secret, TenantId } from '@grantor/protocol/types'
import type { Store, UnreadableRow } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../events.ts'
import { newClient, secretFor, secretRow, usesSecret } from '../clients/new-client.ts'
import type { Ids } from '../ports/environment.ts'
import { firstPartyProblem } from './clients/first-party.ts'
import {
  type ClientSearch,
  type PreviewDependencies,
  type PreviewRequest,
  previewToken,
  type RedirectMatch,
  redirectMatch,
  searchClients,
  type SearchPage,
  type TokenPreview,
} from './clients/questions.ts'
import { changedMeanwhile, namedAsPerson, overlapProblem } from './clients/refusals.ts'
import { registeredEvent } from './clients/registered-event.ts'
import { disableNamedAsPeople } from './clients/named-as-people.ts'
import type { AdminError, AdminResult, FieldProblem } from './result.ts'

export interface CreateClientInput {
  readonly id?: string
  readonly metadata: JsonObject
  readonly secret?: string
  /** Whether the client is created disabled. */
  readonly disabled?: boolean
}

export interface ClientAdmin {
  create(
    by: Actor,
    tenant: TenantId,
    input: CreateClientInput,
  ): Promise<AdminResult<{ readonly client: Client; readonly secret: Secret | null }>>
  list(tenant: TenantId, page: Parameters<Store['clients']['list']>[1]): Promise<AdminResult<readonly Client[]>>
  search(tenant: TenantId, search: ClientSearch): Promise<AdminResult<SearchPage<Client, string>>>
  find(tenant: TenantId, id: string): Promise<AdminResult<Client>>
  /** Clients whose rows cannot be read and count as absent, as far as reads have met them. */
  unreadable(tenant: TenantId): Promise<AdminResult<readonly Pick<UnreadableRow, 'id' | 'problem'>[]>>
  /** The problems that the current rules find in a client that was created under older ones. */
  problems(client: Client): Promise<AdminResult<readonly FieldProblem[]>>
  /** The old secrets stay valid for `overlap` seconds. */
  rotateSecret(
    by: Actor,
    tenant: TenantId,
    rotation: { readonly id: string; readonly overlap: number },
  ): Promise<AdminResult<{ readonly client: Client; readonly secret: Secret }>>
  /**
   * Replaces all metadata of a client, at the version it was read at. A client that now needs a secret gets one; a
   * client that no longer needs any loses its secrets.
   */
  replace(
    by: Actor,
    tenant: TenantId,
    change: {
      readonly id: string
      readonly version: number
      readonly metadata: JsonObject
      readonly disabled: boolean
    },
  ): Promise<AdminResult<{ readonly client: Client; readonly secret: Secret | null }>>
  /** What an access token of the client would contain; nothing is issued. */
  preview(tenant: TenantId, request: PreviewRequest): Promise<AdminResult<TokenPreview>>
  matchRedirect(tenant: TenantId, of: Parameters<typeof redirectMatch>[1]): Promise<AdminResult<RedirectMatch>>
  /** For the start of a server: clients of an older database whose id is the `sub` of a person. */
  disableNamedAsPeople(by: Actor): Promise<AdminResult<readonly Client[]>>
  /** With a version, only if it is still current ('conflict' otherwise). */
  remove(by: Actor, tenant: TenantId, which: string | Pick<Client, 'id' | 'version'>): Promise<AdminResult<null>>
}

export interface ClientAdminDependencies
  extends EventDependencies, Omit<PreviewDependencies, 'clock' | 'ids' | 'store'> {
  readonly ids: Ids
  readonly served: Served
  readonly store: Pick<Store, 'clients' | 'consents' | 'directory' | 'users' | 'unreadable' | 'keys'>
}

const mostNamed = 50

export function openClientAdmin(deps: ClientAdminDependencies): ClientAdmin {
  const { store } = deps

  /** Checked under the profile of its tenant. */
  async function checkedFor(metadata: JsonObject | ClientMetadata, tenant: TenantId) {
    const catalogue = await store.directory.catalogue(tenant)
    return clientMetadata(metadata, heldToProfile(deps.served, catalogue?.tenant.profile))
  }

  async function find(tenant: TenantId, id: string): Promise<AdminResult<Client>> {
    const client = await store.clients.find(tenant, id)
    return client === null ? err(missing(tenant, id)) : ok(client)
  }

  /** The error for a client that was just looked up in vain. */
  function missing(tenant: TenantId, id: string): AdminError {
    const row = store.unreadable.client(tenant, id)
    if (row === null) return { reason: 'absent', what: `client ${id}` }
    return { reason: 'unreadable', what: `client ${id} cannot be read: ${row.problem}` }
  }

  async function undeclaredIn(metadata: ClientMetadata, tenant: TenantId, held: ClientMetadata | null = null) {
    const catalogue = await store.directory.catalogue(tenant)
    return catalogue === null ? [] : undeclaredNames(metadata, catalogue, held)
  }

  return {
    find,
    async problems({ metadata, tenant }) {
      const checked = await checkedFor(metadata, tenant)
      return ok(checked.kind === 'ok' ? [] : checked.error)
    },
    list: async (tenant, page) => ok(await store.clients.list(tenant, page)),
    search: (tenant, search) => searchClients(store.clients, tenant, search),
    async unreadable(tenant) {
      const named = store.unreadable.list().filter((row) => row.kind === 'client' && row.tenant === tenant)
      // Read again: another process may have repaired the row.
      for (const { id } of named.slice(0, mostNamed)) await store.clients.find(tenant, id)
      return ok(named.slice(0, mostNamed).flatMap(({ id }) => store.unreadable.client(tenant, id) ?? []))
    },

    async create(by, tenant, input) {
      const checked = await checkedFor(input.metadata, tenant)
      if (checked.kind === 'error') return err({ reason: 'invalid', problems: checked.error })
      const misnamed = input.id === undefined ? null : newClientIdProblem(input.id)
      if (misnamed !== null) return err({ reason: 'invalid', problems: [{ field: 'client_id', problem: misnamed }] })
      const weak = input.secret === undefined ? null : declaredSecretProblem(input.secret)
      if (weak !== null) return err({ reason: 'invalid', problems: [{ field: 'client_secret', problem: weak }] })
      const undeclared = await undeclaredIn(checked.value, tenant)
      if (undeclared.length > 0) return err({ reason: 'invalid', problems: undeclared })
      const unfit = await firstPartyProblem({ by, tenant, metadata: checked.value, held: null }, store)
      if (unfit !== null) return err(unfit)
      const secret = secretFor(checked.value, input.secret, deps.ids)
      const id = input.id ?? deps.ids.id()
      const { disabled = false } = input
      const client = newClient({ tenant, id, metadata: checked.value, secret, origin: 'manual', disabled }, deps)
      const created = await store.clients.create(client, [registeredEvent(by, client, deps)])
      if (created === 'no-tenant') return err({ reason: 'absent', what: `tenant ${tenant}` })
      if (created === 'exists') {
        const found = await find(tenant, id)
        return found.kind === 'error' && found.error.reason === 'unreadable'
          ? found
          : err({ reason: 'exists', what: `client ${id}` })
      }
      if (created === 'subject-of-person') return err(namedAsPerson)
      const made = await find(tenant, id)
      return made.kind === 'ok' ? ok({ client: made.value, secret }) : made
    },

    async rotateSecret(by, tenant, { id, overlap }) {
      const unfit = overlapProblem(overlap)
      if (unfit !== null) return err(unfit)
      const held = await find(tenant, id)
      if (held.kind === 'error') return held
      if (!usesSecret(held.value.metadata)) {
        return err({ reason: 'conflict', what: `client ${id} does not authenticate with a secret` })
      }
      const secret = deps.ids.secret('gs_')
      const now = deps.clock.now()
      const rotated = await store.clients.rotateSecret({
        tenant,
        id,
        version: held.value.version,
        at: now,
        secret: secretRow(secret, now, deps.ids),
        othersExpireAt: (now + overlap * 1000) as Instant,
        events: [
          newEvent(deps, localOrigin(tenant), 'client.secret_rotated', {
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
      const checked = await checkedFor(metadata, tenant)
      if (checked.kind === 'error') return err({ reason: 'invalid', problems: checked.error })
      const held = await find(tenant, id)
      if (held.kind === 'error') return held
      const now = deps.clock.now()
      const before = held.value
      if (!disabled && (await store.users.byId(tenant, id)) !== null) return err(namedAsPerson)
      const undeclared = await undeclaredIn(checked.value, tenant, before.metadata)
      if (undeclared.length > 0) return err({ reason: 'invalid', problems: undeclared })
      const unfit = await firstPartyProblem({ by, tenant, metadata: checked.value, held: before }, store)
      if (unfit !== null) return err(unfit)
      const secret = before.secrets.length === 0 ? secretFor(checked.value, undefined, deps.ids) : null
      const secrets = usesSecret(checked.value) ? (secret === null ? null : [secretRow(secret, now, deps.ids)]) : []
      const ends = disabled && before.disabledAt === null
      const replaced = await store.clients.replace({
        tenant,
        id,
        version,
        metadata: checked.value,
        disabledAt: disabled ? (before.disabledAt ?? now) : null,
        secrets,
        at: now,
        // `cutoff` tells the revocation feed that access was withdrawn.
        events: [
          newEvent(deps, localOrigin(tenant), 'client.updated', {
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

    preview: (tenant, request) => previewToken(tenant, request, deps),
    matchRedirect: (tenant, of) => redirectMatch(tenant, of, deps),
    disableNamedAsPeople: async (by) => ok(await disableNamedAsPeople(by, deps)),

    async remove(by, tenant, which) {
      const now = deps.clock.now()
      const id = typeof which === 'string' ? which : which.id
      const removed = await store.clients.remove(tenant, which, now, [
        newEvent(deps, localOrigin(tenant), 'client.deleted', { actor: by, clientId: id }),
      ])
      if (removed === 'changed-meanwhile') return err(changedMeanwhile(id))
      return removed === 'absent' ? err({ reason: 'absent', what: `client ${id}` }) : ok(null)
    },
  }
}
