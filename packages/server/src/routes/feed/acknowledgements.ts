/** POST /revocations/acknowledgements: how far a validator has read the feed (protocol/feed/receipt). */
import { acknowledgementPath, parseAcknowledgement } from '@grantor/protocol/feed'
import { parseForm } from '@grantor/protocol/oauth'
import { feedReaderOf } from './feed-reader.ts'
import type { Route } from '../route.ts'

export const revocationAcknowledgements: Route = {
  path: acknowledgementPath,
  methods: ['POST'],
  cors: false,
  at: 'every issuer',
  handler: (context) => async (request, reply) => {
    const { responder, authority } = context
    const reader = await feedReaderOf(context, request, reply)
    if (reader === undefined) return reply
    const query = parseForm((request.raw.url ?? '').split('?')[1] ?? '')
    if (query.kind === 'error') return responder.refuse(reply, query.error)
    const acknowledgement = parseAcknowledgement((name) => query.value.get(name))
    if (typeof acknowledgement === 'string')
      return responder.refuse(reply, { reason: 'parameter_malformed', name: acknowledgement })
    const taken = await authority.acknowledgements.take(reader, acknowledgement)
    if (taken === 'crowded')
      return responder.send(reply, 429, null, { 'retry-after': '60', 'cache-control': 'no-store' })
    if (taken !== 'taken') return responder.refuse(reply, { reason: 'parameter_malformed', name: 'position' })
    return responder.send(reply, 204, null, { 'cache-control': 'no-store' })
  },
}
