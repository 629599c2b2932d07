/** /v1/clients: the clients of a tenant. */
import { collection, type Collection, type RequestContext, type StoredResource } from '@grantor/api'
import type { AdminResult, Authority } from '@grantor/authority'
import type { Problem } from '@grantor/protocol/http'
import type { Client } from '@grantor/protocol/registration'
import type { Instant, JsonObject, Secret } from '@grantor/protocol/types'
import { Type } from 'typebox'
import { type ClientBody, type ClientDocument, clientDocument, ClientSchema, exampleClient } from './client.ts'
import { matchRedirectUri, previewToken } from './clients/questions.ts'
import { exceedsRights } from './admin-rights.ts'
import { actorOf, adminProblem, found, removed, searched } from './admin-problem.ts'
import { endsAccess, receiptLink } from './event-log/receipt-link.ts'
import { filterValue, filterValues, tenantOf } from './fields.ts'
import { shownVersion, storedVersion } from './shown-version.ts'

type Stored = StoredResource<ClientDocument>

/**
 * Expired secrets disappear without a new stored version, so the ETag has them, but not `last_used_at`
 * (shown-version.ts).
 */
function entryOf(client: Client, secret: Secret | null = null): Stored {
  const value = clientDocument(client, secret)
  const version = shownVersion(client.version, { secrets: value.secrets })
  return { tenant: client.tenant, version, modifiedAt: client.updatedAt, value }
}

const entryOrProblem = (
  outcome: AdminResult<{ readonly client: Client; readonly secret: Secret | null }>,
): Stored | Problem =>
  outcome.kind === 'ok' ? entryOf(outcome.value.client, outcome.value.secret) : adminProblem(outcome.error)

const longestOverlap = 30 * 86_400

export function clients({ admin }: Authority): Collection {
  const acts = admin.clients

  async function create(id: string | undefined, body: ClientBody, context: RequestContext): Promise<Stored | Problem> {
    const { disabled, ...metadata } = body
    const more = exceedsRights(metadata, context.caller)
    if (more !== null) return more
    const input = { metadata: metadata as JsonObject, disabled, ...(id === undefined ? {} : { id }) }
    return entryOrProblem(await acts.create(actorOf(context.caller), tenantOf(context), input))
  }

  /** The problem if the stored client has more rights than the caller. A missing client is left to the act itself. */
  async function heldBy(id: string, context: RequestContext): Promise<Problem | null> {
    const found = await acts.find(tenantOf(context), id)
    return found.kind === 'ok' ? exceedsRights(found.value.metadata, context.caller) : null
  }

  return collection<typeof ClientSchema, ClientBody>({
    name: 'clients',
    description: 'Applications that may ask for tokens',
    schema: ClientSchema,
    example: exampleClient,
    scopes: { read: 'admin:clients:read', write: 'admin:clients:write' },
    // Some answers contain a secret.
    cacheControl: 'no-store',
    list: {
      filter: {
        client_name: ['contains'],
        kind: ['eq', 'in'],
        origin: ['eq', 'in'],
        application_type: ['eq'],
        disabled: ['eq'],
      },
    },
    statusLink: (before, after) => (endsAccess(before, after) ? receiptLink({ client_id: before.id }) : null),
    handlers: {
      async list({ take, sort, after, filter }, context) {
        const [last] = after ?? []
        const disabled = filterValue(filter, 'disabled')
        const page = {
          after: last === undefined ? null : String(last),
          limit: take,
          descending: sort[0]?.descending ?? false,
          text: filterValue(filter, 'client_name', 'contains'),
          kinds: filterValues(filter, 'kind'),
          origins: filterValues(filter, 'origin'),
          applicationType: filterValue(filter, 'application_type'),
          disabled: disabled === null ? null : disabled === 'true',
        }
        return searched(await acts.search(tenantOf(context), page), (it) => entryOf(it))
      },
      async unreadable(context) {
        const them = await acts.unreadable(tenantOf(context))
        return them.kind === 'ok' ? them.value.map(({ id, problem: detail }) => ({ id, detail })) : []
      },
      get: async (id, context) => found(await acts.find(tenantOf(context), id), (it) => entryOf(it)),
      create: (body, context) => create(undefined, body, context),
      async insert(id, body, context) {
        const inserted = await create(id, body, context)
        return 'kind' in inserted && inserted.code === 'conflict' ? 'changed' : inserted
      },
      async update(id, { body, expected }, context) {
        const { disabled, ...metadata } = body
        const more = exceedsRights(metadata, context.caller) ?? (await heldBy(id, context))
        if (more !== null) return more
        const change = { id, version: Number(storedVersion(expected)), metadata: metadata as JsonObject, disabled }
        const replaced = await acts.replace(actorOf(context.caller), tenantOf(context), change)
        if (replaced.kind === 'error' && (replaced.error.reason === 'conflict' || replaced.error.reason === 'absent'))
          return 'changed'
        return entryOrProblem(replaced)
      },
      async remove(id, expected, context) {
        const more = await heldBy(id, context)
        if (more !== null) return more
        const which = { id, version: Number(storedVersion(expected)) }
        return removed(await acts.remove(actorOf(context.caller), tenantOf(context), which))
      },
    },
    actions: {
      preview: previewToken(admin),
      'match-redirect-uri': matchRedirectUri(admin),
      'rotate-secret': {
        on: 'item',
        scope: 'admin:clients:write',
        summary: 'Give the client another secret; the old ones live on for a while',
        body: Type.Object({
          overlap: Type.Integer({
            minimum: 0,
            maximum: longestOverlap,
            default: 86_400,
            description: 'Seconds that the old secrets live on',
          }),
        }),
        example: { overlap: 86_400 },
        async run({ overlap }: { readonly overlap: number }, context, entry) {
          const more = exceedsRights(entry?.value ?? {}, context.caller)
          if (more !== null) return more
          const rotation = { id: entry?.value.id ?? '', overlap }
          const rotated = await acts.rotateSecret(actorOf(context.caller), tenantOf(context), rotation)
          if (rotated.kind === 'error') return adminProblem(rotated.error)
          const { client, secret } = rotated.value
          return { client_id: client.id, client_secret: secret, others_expire_at: isoAfter(context.now, overlap) }
        },
      },
    },
  })
}

const isoAfter = (now: Instant, seconds: number): string => new Date(now + seconds * 1000).toISOString()
