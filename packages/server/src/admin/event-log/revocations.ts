/** /v1/revocations: what was revoked, and how many validators have stopped it. */
import { collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority, ReceiptedRevocation } from '@grantor/authority'
import { eventNames } from '@grantor/protocol/events'
import type { RevocationReceipt } from '@grantor/protocol/feed'
import { Type } from 'typebox'
import { found, searched } from '../admin-problem.ts'
import { iso, isoIf, tenantOf, time } from '../fields.ts'
import { versionOfShown } from '../shown-version.ts'
import { searchOf } from './query.ts'

const text = (description: string) => Type.Optional(Type.String({ readOnly: true, description }))
const count = (description: string) => Type.Optional(Type.Integer({ readOnly: true, minimum: 0, description }))

const RevocationSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 64, description: 'The id of its event' }),
  seq: Type.Integer({ readOnly: true, description: 'Its place in the log of its tenant' }),
  at: time('When it was revoked'),
  name: Type.Enum([...eventNames], { readOnly: true }),
  subject: text('Whose access it was'),
  client_id: text('Of which client'),
  grant_id: text('Which grant ended'),
  jti: text('Which token ended'),
  // All counts are left out after a day, because the validators of that time are no longer known.
  validators: count(
    'How many were reading the feed then; receipts are kept for a day, and this and what follows left out afterwards',
  ),
  acknowledged: count('Of these, how many have said that they refuse it'),
  slowest_ms: count(
    'Milliseconds until the last of these did, or refused everything; left out where that is not known any more',
  ),
  waiting: count('How many have said nothing yet and may go by what they knew'),
  closed: count('How many have said nothing and refuse everything by now, by their own bound'),
  not_acknowledging: count('Of waiting and closed, how many never acknowledge anything'),
  closes_at: Type.Optional(time('When the last of waiting and closed refuses everything, at the latest')),
})
type RevocationDocument = Type.Static<typeof RevocationSchema>

function documentOf({ event, receipt }: ReceiptedRevocation): RevocationDocument {
  const { subject, clientId, grantId, jti } = event
  return {
    id: event.id,
    seq: event.seq,
    at: iso(event.at),
    name: event.name,
    ...(subject === null ? {} : { subject }),
    ...(clientId === null ? {} : { client_id: clientId }),
    ...(grantId === null ? {} : { grant_id: grantId }),
    ...(jti === null ? {} : { jti }),
    ...(receipt === null ? {} : countsOf(receipt)),
  }
}

const countsOf = (receipt: RevocationReceipt): Partial<RevocationDocument> => ({
  validators: receipt.validators,
  acknowledged: receipt.acknowledged,
  ...(receipt.slowest === null ? {} : { slowest_ms: receipt.slowest }),
  waiting: receipt.waiting,
  closed: receipt.closed,
  not_acknowledging: receipt.notAcknowledging,
  ...isoIf('closes_at', receipt.closesAt),
})

function entryOf(it: ReceiptedRevocation): StoredResource<RevocationDocument> {
  const value = documentOf(it)
  return { tenant: it.event.tenant, version: versionOfShown(value), value }
}

export function revocations({ admin }: Authority): Collection {
  return collection<typeof RevocationSchema>({
    name: 'revocations',
    description: 'What was revoked, each with its receipt: how many validators have stopped it',
    schema: RevocationSchema,
    example: exampleRevocation,
    // Callers who may revoke may also see the receipts.
    scopes: { read: { any: ['admin:events:read', 'admin:grants:write', 'admin:sessions:write'] } },
    cacheControl: 'no-store',
    list: {
      filter: {
        subject: ['eq', 'in'],
        client_id: ['eq', 'in'],
        grant_id: ['eq', 'in'],
        jti: ['eq', 'in'],
        seq: ['gt', 'gte', 'lt', 'lte'],
        at: ['gt', 'gte', 'lt', 'lte'],
      },
      sort: ['seq'],
      order: '-seq',
      sortsById: false,
    },
    handlers: {
      async list(query, context) {
        const search = searchOf(query)
        if (search.kind === 'error') return search.error
        return searched(await admin.revocations.search(tenantOf(context), search.value), entryOf)
      },
      get: async (id, context) => found(await admin.revocations.find(tenantOf(context), id), (it) => entryOf(it)),
    },
  })
}

const exampleRevocation: RevocationDocument = {
  id: '0192f0c4-a1b2-7c3d-8e4f-5a6b7c8d9e0f',
  seq: 42,
  at: '2026-11-15T11:59:20.000Z',
  name: 'grant.revoked',
  subject: '0192f0c3-0000-7c3d-8e4f-5a6b7c8d9e0f',
  client_id: 'web',
  grant_id: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f',
  validators: 39,
  acknowledged: 37,
  slowest_ms: 41,
  waiting: 2,
  closed: 0,
  not_acknowledging: 0,
  closes_at: '2026-11-15T12:00:05.000Z',
}
