/** /v1/mails: mails that wait to be sent, without their content; actions retry one, or queue a test mail. */
import { type ActionPlan, collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority, WaitingMail } from '@grantor/authority'
import { Type } from 'typebox'
import { actorOf, adminProblem, found, listed, removed } from '../admin-problem.ts'
import { iso, newestFirst, newestFirstPage, tenantOf, time } from '../fields.ts'
import { versionOfShown } from '../shown-version.ts'

const MailSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 64 }),
  kind: Type.String({ readOnly: true, description: 'What it is about' }),
  subject: Type.Optional(Type.String({ readOnly: true, description: 'The person it is for, where that is known' })),
  to: Type.Optional(Type.String({ readOnly: true, description: 'The address, where it is known before it is sent' })),
  state: Type.Enum(['waiting', 'sending'], { readOnly: true }),
  attempts: Type.Integer({ readOnly: true, minimum: 0, description: 'How often it was tried' }),
  last_error: Type.Optional(Type.String({ readOnly: true, description: 'Why the last try failed' })),
  made_at: time('When it was queued'),
  next_try_at: time('When it is tried next'),
  expires_at: time('When it is given up'),
})
type MailDocument = Type.Static<typeof MailSchema>

const documentOf = (mail: WaitingMail): MailDocument => ({
  id: mail.id,
  kind: mail.kind,
  ...(mail.subject === null ? {} : { subject: mail.subject }),
  ...(mail.to === null ? {} : { to: mail.to }),
  state: mail.isUnderWay ? 'sending' : 'waiting',
  attempts: mail.attempts,
  ...(mail.lastError === null || mail.lastError === '' ? {} : { last_error: mail.lastError }),
  made_at: iso(mail.madeAt),
  next_try_at: iso(mail.dueAt),
  expires_at: iso(mail.expiresAt),
})

function entryOf(mail: WaitingMail): StoredResource<MailDocument> {
  const value = documentOf(mail)
  return { tenant: mail.tenant, version: versionOfShown(value), value }
}

export function mails({ admin }: Authority): Collection {
  const acts = admin.mails
  return collection<typeof MailSchema>({
    name: 'mails',
    description: 'Mails that wait to be sent',
    schema: MailSchema,
    example: exampleMail,
    scopes: { read: 'admin:mails:read', write: 'admin:mails:write' },
    cacheControl: 'no-store',
    list: newestFirst,
    handlers: {
      list: async (query, context) => listed(await acts.list(tenantOf(context), newestFirstPage(query)), entryOf),
      get: async (id, context) => found(await acts.find(tenantOf(context), id), (it) => entryOf(it)),
      remove: async (id, _expected, context) =>
        removed(await acts.drop(actorOf(context.caller), tenantOf(context), id)),
    },
    actions: { retry: retry(admin), test: test(admin) },
  })
}

const retry = ({ mails: acts }: Authority['admin']): ActionPlan<MailDocument> => ({
  on: 'item',
  scope: 'admin:mails:write',
  summary: 'Try it now',
  body: Type.Object({}),
  example: {},
  async run(_body: never, context, entry) {
    const done = await acts.retry(actorOf(context.caller), tenantOf(context), entry?.value.id ?? '')
    return done.kind === 'ok' ? null : adminProblem(done.error)
  },
})

const test = ({ mails: acts }: Authority['admin']): ActionPlan<MailDocument> => ({
  on: 'collection',
  scope: 'admin:mails:write',
  summary: 'Queue a mail that says no more than that mail arrives',
  body: Type.Object({
    to: Type.String({
      minLength: 3,
      maxLength: 254,
      format: 'email',
      description: 'Where to: one plain address. Refused, too, where the server has no `mail.smtp`',
    }),
  }),
  example: { to: 'ada@example.com' },
  async run({ to }: { readonly to: string }, context) {
    const queued = await acts.test(actorOf(context.caller), tenantOf(context), to)
    return queued.kind === 'ok' ? { id: queued.value } : adminProblem(queued.error)
  },
})

const exampleMail: MailDocument = {
  id: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f',
  kind: 'reset',
  subject: '0192f0c3-0000-7c3d-8e4f-5a6b7c8d9e0f',
  to: 'ada@example.com',
  state: 'waiting',
  attempts: 2,
  last_error: 'RCPT TO 451',
  made_at: '2026-11-15T10:00:00.000Z',
  next_try_at: '2026-11-15T10:01:30.000Z',
  expires_at: '2026-11-15T11:00:00.000Z',
}
