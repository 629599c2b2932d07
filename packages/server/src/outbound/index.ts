/** All outbound HTTP of the server: fetches documents, delivers forms and notifications, to checked addresses only. */
import type { IncomingMessage } from 'node:http'
import type { SecureContext } from 'node:tls'
import {
  type Fetched,
  type FetchRequest,
  memoryLimiter,
  type Outbound,
  type OutboundCause,
  type OutboundError,
} from '@grantor/authority'
import { type Err, err, ok, type Result } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import type { AllowList } from '@grantor/protocol/uri'
import { addressesOf } from './addresses.ts'
import { type RequestBody, sendRequest } from './exchange.ts'
import { type CacheBounds, createDocumentCache } from './document-cache.ts'
import { discard, receive } from './receive.ts'
import type { Resolve } from './resolve.ts'
import { type Target, targetOf } from './target.ts'
import { createConcurrencyLimit } from './concurrency.ts'

export interface OutboundOptions {
  readonly allow: AllowList
  /** Resolves names that are not on the list. */
  readonly resolve: Resolve
  /** The trusted certificate authorities. */
  roots(): SecureContext
  now(): number
  /** Milliseconds from the call to the last byte, including the waiting in line and for DNS. */
  readonly deadline?: number
  readonly cache?: CacheBounds
}

/** The outcome of one attempt; of the URL only the host. */
export interface OutboundAttempt {
  readonly host: string
  readonly outcome: 'ok' | OutboundError
  readonly cause: OutboundCause | null
}

export interface ServerOutbound extends Outbound {
  /** Calls `watcher` for every attempt from now on. */
  watch(watcher: (attempt: OutboundAttempt) => void): void
  /** Aborts requests under way. */
  close(): void
}

const concurrencyBounds = { inAll: 128, perHost: 6, waiting: 512 }
/** Purposes whose URLs come from clients, which anybody may register; all other URLs come from administrators. */
const namedByClients: ReadonlySet<OutboundCause['purpose']> = new Set([
  'jwks_uri',
  'sector_identifier_uri',
  'logo_uri',
  'request_uris',
  'backchannel_logout_uri',
  'backchannel_client_notification_endpoint',
  'client_metadata_document',
])
const cacheBounds = { entries: 2_000, bytes: 16 * 1024 * 1024 }
/** Five fetches a second, after a burst, so that nobody can make us flood a host by naming many URLs of it. */
const hostQuota = { name: 'outbound', quota: 300, window: 60 }

type OutboundResult<T> = Result<T, OutboundError>

interface OutboundJob<T> {
  readonly target: Target
  readonly accept: string
  readonly body: RequestBody | null
  readonly authorization: string | null
  readonly cause: OutboundCause | null
  /** Milliseconds, where the job has a shorter deadline than others. */
  readonly deadline?: number
  read(answer: IncomingMessage, signal: AbortSignal): Promise<OutboundResult<T>> | OutboundResult<T>
}

const formBody = (form: Readonly<Record<string, string>>): RequestBody => ({
  type: 'application/x-www-form-urlencoded',
  content: new URLSearchParams(form).toString(),
  headers: {},
})

export function openOutbound(parts: OutboundOptions): ServerOutbound {
  const { allow, deadline = 5_000 } = parts
  const concurrency = createConcurrencyLimit(concurrencyBounds)
  const cache = createDocumentCache(parts.now, parts.cache ?? cacheBounds)
  const quotas = memoryLimiter({ now: () => parts.now() as Instant })
  const closing = new AbortController()
  let watcher = (_attempt: OutboundAttempt): void => {}

  async function perform<T>(
    { target, accept, body, authorization, cause, read }: OutboundJob<T>,
    signal: AbortSignal,
  ): Promise<OutboundResult<T>> {
    const ofStranger = cause !== null && namedByClients.has(cause.purpose)
    const done = await concurrency.acquire({ host: target.host, ofStranger }, signal)
    if (done === null) return err(signal.aborted ? 'time' : 'unreachable')
    try {
      const addresses = await addressesOf(target, parts.resolve, signal)
      if (addresses.kind === 'error') return addresses
      const answer = await sendRequest({
        target,
        addresses: addresses.value,
        accept,
        body,
        authorization,
        roots: parts.roots(),
        signal,
      })
      return answer.kind === 'error' ? answer : await read(answer.value, signal)
    } finally {
      done()
    }
  }

  /** Runs the job within its deadline. */
  async function run<T>(job: OutboundJob<T>): Promise<OutboundResult<T>> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), Math.min(deadline, job.deadline ?? deadline))
    const signal = AbortSignal.any([late.signal, closing.signal])
    // Raced against the deadline, because a resolver that cannot be cancelled must not delay the answer.
    const timeIsUp = new Promise<Err<OutboundError>>((resolve) => {
      signal.addEventListener('abort', () => resolve(err('time')), { once: true })
    })
    try {
      const result = signal.aborted ? err<OutboundError>('time') : await Promise.race([perform(job, signal), timeIsUp])
      watcher({ host: job.target.host, outcome: result.kind === 'ok' ? 'ok' : result.error, cause: job.cause })
      return result
    } finally {
      clearTimeout(timer)
    }
  }

  function refused(url: string, cause: OutboundCause | null): Err<OutboundError> {
    watcher({ host: URL.parse(url)?.hostname ?? '', outcome: 'address', cause })
    return err('address')
  }

  async function fetchAnew(ask: FetchRequest, target: Target): Promise<OutboundResult<Fetched>> {
    const quota = await quotas.take(hostQuota, target.host)
    if (!quota.allowed) return err('unreachable')
    return run({
      target,
      accept: ask.types.join(', '),
      body: null,
      authorization: ask.bearer === undefined ? null : `Bearer ${ask.bearer}`,
      cause: ask.cause ?? null,
      read: (answer, signal) => receive(answer, { ask, now: parts.now, signal }),
    })
  }

  /** Any 2xx is success, and bodies of answers are not read. The status is 0 where there was no answer. */
  async function send(url: string, body: RequestBody, cause: OutboundCause | null) {
    const target = targetOf(url, allow, '443')
    if (target === null) return { result: refused(url, cause), status: 0, retryAfter: null }
    let status = 0
    let retryAfter: number | null = null
    const result = await run<null>({
      target,
      accept: '*/*',
      body,
      authorization: null,
      cause,
      read(answer) {
        status = answer.statusCode ?? 0
        retryAfter = secondsIn(answer.headers['retry-after'], parts.now())
        discard(answer)
        return status >= 200 && status < 300 ? ok(null) : err('status')
      },
    })
    return { result, status, retryAfter }
  }

  return {
    async fetch(ask) {
      const target = targetOf(ask.url, allow)
      if (target === null) return refused(ask.url, ask.cause ?? null)
      if (ask.anew === true || ask.bearer !== undefined) return fetchAnew(ask, target)
      // Requests with other types or size limits are cached apart, even for the same URL.
      const key = [ask.maxBytes, ...ask.types, ask.url].join(' ')
      return cache.get(key, ask.noOlderThan, () => fetchAnew(ask, target))
    },

    async submit(ask) {
      const cause = ask.cause ?? null
      const target = targetOf(ask.url, allow)
      if (target === null) return refused(ask.url, cause)
      return run({
        target,
        accept: ask.types.join(', '),
        body: 'form' in ask ? formBody(ask.form) : ask.message,
        authorization: ask.authorization,
        cause,
        ...('deadline' in ask ? { deadline: ask.deadline } : {}),
        read(answer, signal) {
          const wait = secondsIn(answer.headers['retry-after'], parts.now())
          if ('onRetryAfter' in ask && wait !== null && answer.statusCode !== 200) ask.onRetryAfter?.(wait)
          return receive(answer, { ask, now: parts.now, signal })
        },
      })
    },

    async deliver(url, form, cause) {
      return (await send(url, formBody(form), cause ?? null)).result
    },

    async post(url, message, cause) {
      const { result, status, retryAfter } = await send(url, message, cause ?? null)
      return result.kind === 'error' && result.error !== 'status' ? result : ok({ status, retryAfter })
    },

    async notify(url, message, cause) {
      const content = JSON.stringify(message.body)
      const body = { type: 'application/json', content, headers: { authorization: `Bearer ${message.bearer}` } }
      const { result, status } = await send(url, body, cause ?? null)
      return status >= 300 && status < 500 ? err('refused') : result
    },

    watch(next) {
      watcher = next
    },

    close: () => closing.abort(),
  }
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function secondsIn(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}
