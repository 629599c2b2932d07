/** The list of shared signals operations, by method and path: SSF 1.0 §8.1, RFC 8936. */
import type { Authority, SsfCall, SsfResult } from '@grantor/authority'
import { displayTextProblem } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import { readPoll, ssfEndpoints, streamStatuses } from '@grantor/protocol/ssf'
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'

export type SsfScope = 'ssf.read' | 'ssf.manage'

export interface SsfQuestion {
  readonly call: SsfCall
  readonly search: URLSearchParams
  /** Null where the request has no body. */
  readonly body: Json
  /** Whether the caller has gone or the server is draining, so that waiting must end. */
  over(): boolean
  /** Called with the milliseconds that a poll waited for something to tell. */
  waited(milliseconds: number): void
}

export interface SsfOperation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly scope: SsfScope
  /** The status of a successful answer, with or without a body. */
  readonly status: 200 | 201 | 202 | 204
  run(question: SsfQuestion, authority: Pick<Authority, 'signals'>): Promise<SsfResult<Json>>
}

const bad = (description: string): SsfResult<never> => err({ status: 400, err: 'invalid_request', description })

const memberOf = (body: Json): JsonObject => (isJsonObject(body) ? body : {})
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const streamIn = (body: Json): string => text(memberOf(body)['stream_id'])
const streamAsked = ({ search }: SsfQuestion): string => search.get('stream_id') ?? ''

async function readStreams({ call, search }: SsfQuestion, { signals }: Pick<Authority, 'signals'>) {
  const id = search.get('stream_id')
  return id === null ? ok(await signals.list(call)) : signals.find(call, id)
}

async function setStatus({ call, body }: SsfQuestion, { signals }: Pick<Authority, 'signals'>) {
  const { status, reason = null } = memberOf(body)
  const known = streamStatuses.find((it) => it === status)
  if (known === undefined) return bad(`status is one of ${streamStatuses.join(', ')}.`)
  const problem = reason === null ? null : displayTextProblem(reason, 500)
  return problem === null
    ? signals.setStatus(call, streamIn(body), { status: known, reason: reason as string | null })
    : bad(`reason ${problem}.`)
}

const subject =
  (removed: boolean): SsfOperation['run'] =>
  async ({ call, body }, { signals }) =>
    signals.nameSubject(call, { id: streamIn(body), subject: memberOf(body)['subject'] ?? null, removed })

async function verify({ call, body }: SsfQuestion, { signals }: Pick<Authority, 'signals'>) {
  const { state = null } = memberOf(body)
  if (state !== null && (typeof state !== 'string' || state.length > 1024))
    return bad('state is a text of up to 1024 characters.')
  return signals.verify(call, streamIn(body), state)
}

async function poll(question: SsfQuestion, { signals }: Pick<Authority, 'signals'>) {
  const read = readPoll(question.body)
  if (read.kind === 'error') return bad(read.error)
  const answer = await signals.poll(question.call, streamAsked(question), {
    ...read.value,
    over: question.over,
    waited: question.waited,
  })
  return answer.kind === 'ok' ? ok(answer.value as unknown as JsonObject) : answer
}

const { streams, status, addSubject, removeSubject, verification } = ssfEndpoints

export const ssfOperations: readonly SsfOperation[] = [
  {
    method: 'POST',
    path: streams,
    scope: 'ssf.manage',
    status: 201,
    run: ({ call, body }, { signals }) => signals.create(call, body),
  },
  { method: 'GET', path: streams, scope: 'ssf.read', status: 200, run: readStreams },
  {
    method: 'PATCH',
    path: streams,
    scope: 'ssf.manage',
    status: 200,
    run: ({ call, body }, { signals }) => signals.change(call, body, false),
  },
  {
    method: 'PUT',
    path: streams,
    scope: 'ssf.manage',
    status: 200,
    run: ({ call, body }, { signals }) => signals.change(call, body, true),
  },
  {
    method: 'DELETE',
    path: streams,
    scope: 'ssf.manage',
    status: 204,
    run: (question, { signals }) => signals.remove(question.call, streamAsked(question)),
  },
  {
    method: 'GET',
    path: status,
    scope: 'ssf.read',
    status: 200,
    run: (question, { signals }) => signals.status(question.call, streamAsked(question)),
  },
  { method: 'POST', path: status, scope: 'ssf.manage', status: 200, run: setStatus },
  { method: 'POST', path: addSubject, scope: 'ssf.manage', status: 200, run: subject(false) },
  { method: 'POST', path: removeSubject, scope: 'ssf.manage', status: 204, run: subject(true) },
  { method: 'POST', path: verification, scope: 'ssf.manage', status: 204, run: verify },
  { method: 'POST', path: ssfEndpoints.poll, scope: 'ssf.read', status: 200, run: poll },
]
