/** Answers validators that read the revocation feed here, at the same paths as under an issuer (protocol/feed). */
import {
  acknowledgementPath,
  encodeFeedFrame,
  encodeFeedPage,
  type FeedCursor,
  type FeedFrame,
  feedFrameText,
  feedPaths,
  parseFeedCursor,
} from '@grantor/protocol/feed'
import { problem } from '@grantor/protocol/http'
import { err, ok } from '@grantor/protocol/result'
import { apiResponse } from '@grantor/resource/http'
import type { Admission } from '../access/access.ts'
import { accessRequest, type Incoming, whenDecided } from '../serve/incoming.ts'
import type { Relay } from './relay.ts'

type Answer = (incoming: Incoming, relay: Relay, admission: Admission) => Promise<void> | void

/** Bytes. A reader with more unsent data is cut; it reconnects and resumes from its cursor. */
const maxBuffered = 1024 * 1024
/** Seconds. */
const maxWait = 30

const json = { 'content-type': 'application/json', 'cache-control': 'no-store' }
const eventStream = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

const unavailable = err(
  problem('authorization-state-unavailable', 'The feed is not heard here yet.', { headers: { 'retry-after': '1' } }),
)

const malformed = (name: string) => err(problem('invalid-request', `${name} cannot be read.`))

const cursorOf = (text: string | null | undefined): FeedCursor | null | 'malformed' =>
  text === null || text === undefined ? null : (parseFeedCursor(text) ?? 'malformed')

/** Thousands of readers are sent the same frames, so these are encoded once. */
const texts = new WeakMap<readonly FeedFrame[], string>()

function textOf(frames: readonly FeedFrame[]): string {
  const known = texts.get(frames)
  if (known !== undefined) return known
  const text = frames.map((frame) => feedFrameText(encodeFeedFrame(frame))).join('')
  texts.set(frames, text)
  return text
}

const stream: Answer = async ({ form, response, answer }, { feed, streams }, { caller }) => {
  const after = cursorOf(form.headers.lines('last-event-id')[0])
  if (after === 'malformed') return answer(malformed('Last-Event-ID'))
  const send = (frames: readonly FeedFrame[]): void => {
    if (response.writableEnded || response.destroyed) return
    if (response.writableLength > maxBuffered) return void response.destroy()
    if (!response.headersSent) response.writeHead(200, eventStream).write('retry: 1000\n\n')
    response.write(textOf(frames))
    if (frames.some(({ kind }) => kind === 'reset')) response.end()
  }
  const leave = await feed.open(after, send)
  if (leave === 'unavailable') return answer(unavailable)
  const open = caller === null ? null : streams.open({ caller, route: {} }, true, () => void response.end())
  const over = (): void => {
    leave()
    if (open !== null) streams.close(open)
  }
  if (response.destroyed) over()
  else response.once('close', over)
}

const changes: Answer = async ({ form, answer }, { feed }) => {
  const query = new URLSearchParams(form.target.query)
  const after = cursorOf(query.get('after'))
  if (after === 'malformed') return answer(malformed('after'))
  const wait = query.get('wait') ?? '0'
  if (!/^\d{1,3}$/.test(wait)) return answer(malformed('wait'))
  const frames = await feed.page(after, Math.min(Number(wait), maxWait) * 1000)
  if (frames === 'unavailable') return answer(unavailable)
  return answer(ok(apiResponse(200, json, JSON.stringify(encodeFeedPage({ frames })))))
}

const snapshot: Answer = async ({ answer }, { feed }) => {
  const text = await feed.snapshot()
  if (text === null) return answer(unavailable)
  return answer(ok(apiResponse(200, { ...json, 'content-type': 'application/jwt' }, text)))
}

/** Passed on with the validator's own token, so that it counts at the issuer like one sent there directly. */
const acknowledgements: Answer = async ({ form, answer }, { feed }) => {
  const [authorization = ''] = form.headers.lines('authorization')
  const answered = await feed.acknowledge(form.target.query.replace(/^\?/, ''), authorization)
  if (answered === null) return answer(unavailable)
  const retryAfter = answered.header('retry-after')
  const headers = { 'cache-control': 'no-store', ...(retryAfter === null ? {} : { 'retry-after': retryAfter }) }
  return answer(ok(apiResponse(answered.status, headers, null)))
}

const answers: ReadonlyMap<string, readonly [method: string, answer: Answer]> = new Map([
  [feedPaths.stream, ['GET', stream]],
  [feedPaths.changes, ['GET', changes]],
  [feedPaths.snapshot, ['GET', snapshot]],
  [acknowledgementPath, ['POST', acknowledgements]],
])

export const isRelayed = (path: string): boolean => answers.has(path)

export function answerRelayed(incoming: Incoming, relay: Relay): Promise<void> | void {
  const { form, answer } = incoming
  const [method, act] = answers.get(form.target.path) ?? []
  if (method === undefined || act === undefined) return answer(err(problem('not-found', 'Nothing is relayed there.')))
  if (form.method !== method)
    return answer(err(problem('method-not-allowed', `This takes ${method}.`, { headers: { allow: method } })))
  return whenDecided(relay.access.decideFor(relay.route, accessRequest(incoming)), (decision) =>
    decision.kind === 'ok' ? act(incoming, relay, decision.value) : answer(decision),
  )
}
