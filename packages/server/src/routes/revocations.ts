/** GET /revocations/stream, /changes and /snapshot: the revocation feed for validators (DECISIONS §2, protocol/feed.ts). */
import {
  encodeFeedFrame,
  encodeFeedPage,
  feedFrameText,
  feedPaths,
  feedScope,
  type Form,
  isRefusal,
  parseFeedCursor,
  parseForm,
  type FeedCursor,
  type FeedFrame,
  type TenantId,
} from '@grantor/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { admit } from '../bearer.ts'
import type { Desk } from '../desk.ts'
import type { Route } from './route.ts'

/** A reader that lets this much pile up is cut; it resumes from where it stands. */
const maxBuffered = 1024 * 1024
const maxWait = 30

/** Whoever may read the feed, and of which tenant; undefined when the answer is given already. */
async function readerOf(desk: Desk, request: FastifyRequest, reply: FastifyReply): Promise<TenantId | undefined> {
  const tenant = desk.tenant(request)
  if (typeof tenant !== 'string') return void desk.refuse(reply, tenant)
  const needs = { tenant, scope: feedScope, audience: desk.surface.issuer.of(tenant) }
  const admission = await admit(request.headers.authorization, needs, desk.authority)
  if (admission.admitted) return tenant
  return void desk.send(reply, admission.status, null, { ...admission.headers, 'cache-control': 'no-store' })
}

const cursorOf = (text: string | undefined): FeedCursor | null | 'malformed' =>
  text === undefined ? null : (parseFeedCursor(text) ?? 'malformed')

const textOf = (frames: readonly FeedFrame[]): string =>
  frames.map((frame) => feedFrameText(encodeFeedFrame(frame))).join('')

const shared = { methods: ['GET'], cors: false, at: 'every issuer' } as const

export const revocationStream: Route = {
  ...shared,
  path: feedPaths.stream,
  handler: (desk) => async (request, reply) => {
    const tenant = await readerOf(desk, request, reply)
    if (tenant === undefined) return reply
    const header = request.headers['last-event-id']
    const after = cursorOf(Array.isArray(header) ? header[0] : header)
    if (after === 'malformed') return desk.refuse(reply, { reason: 'parameter_malformed', name: 'last_event_id' })
    const { raw } = reply
    const send = (frames: readonly FeedFrame[]): void => {
      if (raw.writableLength > maxBuffered) return void raw.destroy()
      raw.write(textOf(frames))
      if (frames.some((frame) => frame.kind === 'reset') || desk.surface.draining()) raw.end()
    }
    const { first, end } = await desk.authority.feed.open({ tenant, after }, send)
    reply.hijack()
    raw.on('close', end)
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    raw.write('retry: 1000\n\n')
    send(first)
    return reply
  },
}

export const revocationChanges: Route = {
  ...shared,
  path: feedPaths.changes,
  handler: (desk) => async (request, reply) => {
    const tenant = await readerOf(desk, request, reply)
    if (tenant === undefined) return reply
    const query = parseForm((request.raw.url ?? '').split('?')[1] ?? '')
    if (isRefusal(query)) return desk.refuse(reply, query)
    const after = cursorOf(query.get('after'))
    if (after === 'malformed') return desk.refuse(reply, { reason: 'parameter_malformed', name: 'after' })
    const wait = waitOf(query)
    if (wait === null) return desk.refuse(reply, { reason: 'parameter_malformed', name: 'wait' })
    return desk.json(reply, encodeFeedPage({ frames: await desk.authority.feed.page({ tenant, after }, wait * 1000) }))
  },
}

function waitOf(query: Form): number | null {
  const text = query.get('wait') ?? '0'
  return /^\d{1,3}$/.test(text) ? Math.min(Number(text), maxWait) : null
}

export const revocationSnapshot: Route = {
  ...shared,
  path: feedPaths.snapshot,
  handler: (desk) => async (request, reply) => {
    const tenant = await readerOf(desk, request, reply)
    if (tenant === undefined) return reply
    const snapshot = await desk.authority.feed.snapshot(tenant)
    if (snapshot === null) return desk.refuse(reply, { reason: 'tenant_unknown' })
    return desk.send(reply, 200, snapshot, { 'content-type': 'application/jwt', 'cache-control': 'no-store' })
  },
}
