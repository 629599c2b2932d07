/** /v1/webhooks: receivers of events by signed messages; a secret is shown once, and every delivery is recorded. */
import { type ActionPlan, collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority, Webhook } from '@grantor/authority'
import type { Secret } from '@grantor/protocol/types'
import { mostPatterns } from '@grantor/protocol/webhooks'
import { Type } from 'typebox'
import { actorOf, adminProblem, found, listed, removed } from '../admin-problem.ts'
import { iso, isoIf, pageById, tenantOf, time } from '../fields.ts'
import { shownVersion, storedVersion } from '../shown-version.ts'
import { deliveries, replay } from './delivery-actions.ts'

const WebhookSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 64 }),
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'Where messages are posted: https, at a public address or one of `outbound.allow`',
  }),
  events: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    minItems: 1,
    maxItems: mostPatterns,
    description: 'Names of events (`session.ended`), all of a noun (`session.*`), or all (`*`)',
  }),
  description: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'What it is for' })),
  status: Type.Optional(
    Type.Enum(['enabled', 'disabled'], { description: 'A disabled one is told nothing; left out: enabled' }),
  ),
  secret: Type.Optional(
    Type.String({ readOnly: true, description: 'What messages are signed by; only in the answer that made it' }),
  ),
  disabled_because: Type.Optional(
    Type.String({
      readOnly: true,
      description: 'Where the service disabled it: `gone` (410) or `failing` (three days)',
    }),
  ),
  declared: Type.Optional(Type.Boolean({ readOnly: true, description: 'It stands in a file that was applied' })),
  failing_since: Type.Optional(time('Since when no message arrived')),
  previous_secret_until: Type.Optional(time('Until when the secret before this one signs too')),
  created_at: time('When it was made'),
})
type WebhookDocument = Type.Static<typeof WebhookSchema>
type WebhookBody = Pick<WebhookDocument, 'url' | 'events' | 'description' | 'status'>

const entryOf = (it: Webhook, secret: Secret | null = null): StoredResource<WebhookDocument> => ({
  tenant: it.tenant,
  // `failing_since` changes without a new stored version, so the ETag includes it.
  version: shownVersion(it.version, { failing: it.failingSince ?? undefined }),
  value: {
    id: it.id,
    url: it.settings.url,
    events: [...it.settings.events],
    ...(it.settings.description === null ? {} : { description: it.settings.description }),
    status: it.settings.status,
    ...(secret === null ? {} : { secret }),
    ...(it.disabledBecause === null ? {} : { disabled_because: it.disabledBecause }),
    ...(it.declared ? { declared: true } : {}),
    ...isoIf('failing_since', it.failingSince),
    ...isoIf('previous_secret_until', it.previousSecretUntil),
    created_at: iso(it.createdAt),
  },
})

/** A limit above the number of webhooks that a tenant may have. */
const all = { after: null, limit: 1000 }
const longestOverlap = 7 * 86_400

export function webhooks({ admin }: Authority): Collection {
  const acts = admin.webhooks
  return collection<typeof WebhookSchema, WebhookBody>({
    name: 'webhooks',
    description: 'Who is told of events, by messages signed as Standard Webhooks says',
    schema: WebhookSchema,
    example: exampleWebhook,
    scopes: { read: 'admin:webhooks:read', write: 'admin:webhooks:write' },
    // One answer contains a secret.
    cacheControl: 'no-store',
    handlers: {
      async list(query, context) {
        const held = listed(await acts.list(tenantOf(context), all), (it) => entryOf(it))
        return 'kind' in held ? held : pageById(held, query)
      },
      get: async (id, context) => found(await acts.find(tenantOf(context), id), (it) => entryOf(it)),
      async create(body, context) {
        const made = await acts.create(actorOf(context.caller), tenantOf(context), body)
        return made.kind === 'ok' ? entryOf(made.value.webhook, made.value.secret) : adminProblem(made.error)
      },
      async update(id, { body, expected }, context) {
        const change = { id, version: Number(storedVersion(expected)), input: body }
        const done = await acts.replace(actorOf(context.caller), tenantOf(context), change)
        if (done.kind === 'ok') return entryOf(done.value)
        const { reason } = done.error
        return reason === 'conflict' || reason === 'absent' ? 'changed' : adminProblem(done.error)
      },
      remove: async (id, _expected, context) =>
        removed(await acts.remove(actorOf(context.caller), tenantOf(context), id)),
    },
    actions: {
      'rotate-secret': rotateSecret(acts),
      test: test(acts),
      deliveries: deliveries(acts),
      replay: replay(acts),
    },
  })
}

type Acts = Authority['admin']['webhooks']

const rotateSecret = (acts: Acts): ActionPlan<WebhookDocument> => ({
  on: 'item',
  scope: 'admin:webhooks:write',
  summary: 'Make another secret; the old one signs beside it for a while',
  body: Type.Object({
    overlap: Type.Integer({
      minimum: 0,
      maximum: longestOverlap,
      default: 86_400,
      description: 'Seconds that the old secret signs beside the new one',
    }),
  }),
  example: { overlap: 86_400 },
  async run({ overlap }: { readonly overlap: number }, context, entry) {
    const rotation = { id: entry?.value.id ?? '', overlap }
    const done = await acts.rotateSecret(actorOf(context.caller), tenantOf(context), rotation)
    if (done.kind === 'error') return adminProblem(done.error)
    return { id: rotation.id, secret: done.value.secret, previous_secret_until: iso(done.value.previousUntil) }
  },
})

const test = (acts: Acts): ActionPlan<WebhookDocument> => ({
  on: 'item',
  scope: 'admin:webhooks:write',
  summary: 'Queue a message of the type webhook.test; its id is that of the delivery',
  body: Type.Object({}),
  example: {},
  async run(_body: never, context, entry) {
    const queued = await acts.test(actorOf(context.caller), tenantOf(context), entry?.value.id ?? '')
    return queued.kind === 'ok' ? { id: queued.value } : adminProblem(queued.error)
  },
})

const exampleWebhook: WebhookDocument = {
  id: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f',
  url: 'https://hooks.example/grantor',
  events: ['session.*', 'grant.revoked'],
  description: 'Tells the shop who signed out',
  status: 'enabled',
  created_at: '2026-11-15T10:00:00.000Z',
}
