/** GET /revocations/stream, /changes and /snapshot: the revocation feed for validators (protocol/feed). */
import {
  encodeFeedFrame,
  encodeFeedPage,
  feedFrameText,
  feedPaths,
  isValidatorName,
  parseFeedCursor,
  type FeedCursor,
  type FeedFrame,
  validatorHeader,
} from '@grantor/protocol/feed'
import { type Form, parseForm } from '@grantor/protocol/oauth'
import { feedReaderOf } from './feed-reader.ts'
import type { Route } from '../route.ts'

/** Bytes. A reader with more unsent data is cut; it reconnects and resumes from its cursor. */
const maxBuffered = 1024 * 1024
const maxWait = 30
/**
 * Milliseconds between checks of a stream's token: with a revoked or expired one a stream goes on no longer than this.
 */
const recheckEvery = 10_000

const cursorOf = (text: string | undefined): FeedCursor | null | 'malformed' =>
  text === undefined ? null : (parseFeedCursor(text) ?? 'malformed')

const textOf = (frames: readonly FeedFrame[]): string =>
  frames.map((frame) => feedFrameText(encodeFeedFrame(frame))).join('')

const shared = { methods: ['GET'], cors: false, at: 'every issuer' } as const

const eventStream = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

export const revocationStream: Route = {
  ...shared,
  path: feedPaths.stream,
  handler:
    ({ responder, issuer, authority, draining, certificates }) =>
    async (request, reply) => {
      const reader = await feedReaderOf({ responder, issuer, authority, certificates }, request, reply)
      if (reader === undefined) return reply
      const header = request.headers['last-event-id']
      const after = cursorOf(Array.isArray(header) ? header[0] : header)
      if (after === 'malformed')
        return responder.refuse(reply, { reason: 'parameter_malformed', name: 'last_event_id' })
      // HEAD has no body to wait for.
      if (request.method === 'HEAD') return responder.send(reply, 200, null, eventStream)
      const { raw } = reply
      const send = (frames: readonly FeedFrame[]): void => {
        // A write to a response that has ended but is not closed yet would be an unhandled error.
        if (raw.writableEnded || raw.destroyed) return
        if (raw.writableLength > maxBuffered) return void raw.destroy()
        // The head is sent with the first frames: until then an outage can still be answered with its status.
        if (!raw.headersSent) raw.writeHead(200, eventStream).write('retry: 1000\n\n')
        raw.write(textOf(frames))
        if (frames.some((frame) => frame.kind === 'reset') || draining()) raw.end()
      }
      const end = await authority.feed.open({ tenant: reader.tenant, after }, send)
      const named = isValidatorName(String(request.headers[validatorHeader] ?? ''))
      const uncount = named ? () => {} : authority.acknowledgements.countSilent(reader)
      reply.hijack()
      responder.meter.answered(200, (performance.now() - request.began) / 1000)
      const look = async (): Promise<void> => {
        const still = await reader.admission()
        // 503 says nothing about the token, so the stream goes on while the store is away.
        if (still.kind === 'error' && still.error.status === 401) raw.end()
      }
      const watch = setInterval(() => void look(), recheckEvery)
      const leave = (): void => {
        clearInterval(watch)
        uncount()
        end()
      }
      if (raw.destroyed) leave()
      else raw.once('close', leave)
      return reply
    },
}

export const revocationChanges: Route = {
  ...shared,
  path: feedPaths.changes,
  handler:
    ({ responder, issuer, authority, draining, certificates }) =>
    async (request, reply) => {
      const reader = await feedReaderOf({ responder, issuer, authority, certificates }, request, reply)
      if (reader === undefined) return reply
      const query = parseForm((request.raw.url ?? '').split('?')[1] ?? '')
      if (query.kind === 'error') return responder.refuse(reply, query.error)
      const after = cursorOf(query.value.get('after'))
      if (after === 'malformed') return responder.refuse(reply, { reason: 'parameter_malformed', name: 'after' })
      const seconds = waitOf(query.value)
      if (seconds === null) return responder.refuse(reply, { reason: 'parameter_malformed', name: 'wait' })
      const over = (): boolean => reply.raw.destroyed || draining()
      // The wait for news does not count as time that the answer took.
      const waited = (milliseconds: number): void => void (request.began += milliseconds)
      const longPoll = { milliseconds: seconds * 1000, over, waited }
      const frames = await authority.feed.page({ tenant: reader.tenant, after }, longPoll)
      return responder.json(reply, encodeFeedPage({ frames }))
    },
}

function waitOf(query: Form): number | null {
  const text = query.get('wait') ?? '0'
  return /^\d{1,3}$/.test(text) ? Math.min(Number(text), maxWait) : null
}

export const revocationSnapshot: Route = {
  ...shared,
  path: feedPaths.snapshot,
  handler:
    ({ responder, issuer, authority, certificates }) =>
    async (request, reply) => {
      const reader = await feedReaderOf({ responder, issuer, authority, certificates }, request, reply)
      if (reader === undefined) return reply
      const snapshot = await authority.feed.snapshot(reader.tenant)
      if (snapshot === null) return responder.refuse(reply, { reason: 'tenant_unknown' })
      return responder.send(reply, 200, snapshot, { 'content-type': 'application/jwt', 'cache-control': 'no-store' })
    },
}
