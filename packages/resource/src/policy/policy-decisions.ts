/** A policy service that an API asks (AuthZEN, Authorization API 1.0 §6, §7), with a deadline and a short memory. */
import { randomUUID } from 'node:crypto'
import { type EvaluationRequest, readEvaluation } from '@grantor/protocol/decisions'
import { parseJsonObject } from '@grantor/protocol/http'
import type { JsonObject } from '@grantor/protocol/types'
import { createOutbound, isAllowedAddress, nodeTransport } from '../issuer/outbound.ts'
import { Lru } from '../lru.ts'
import { systemTime, type Time } from '../time.ts'

export interface PolicyServiceOptions {
  /** Its evaluation endpoint, as `https://pdp.example/access/v1/evaluation`; https but for loopback. */
  readonly url: string
  /** Its evaluations endpoint (§7); left out, `url` with an s behind its path. */
  readonly evaluationsUrl?: string
  /** The credential of this API at the service: a bearer token, or a function that gets one. */
  readonly token?: string | (() => string | Promise<string>)
  /** Milliseconds for one answer; left out, 1000. */
  readonly deadline?: number
  /** When no answer comes: `deny` refuses the request with 503 (default), `allow` lets it through. */
  readonly onFailure?: 'deny' | 'allow'
  /** Seconds that an answer is reused for the same question; left out, none is remembered. */
  readonly cacheSeconds?: number
  /** Certificate authorities that are trusted instead of the system's. */
  readonly ca?: string | Buffer
  readonly time?: Time
}

/** `unavailable`: no answer came, and `onFailure` is `deny`. */
export type PolicyDecision = 'permit' | 'deny' | 'unavailable'

export interface PolicyService {
  evaluate(question: EvaluationRequest): Promise<PolicyDecision>
  /** Many at once, for lists: one decision for each, in their order. */
  evaluateAll(questions: readonly EvaluationRequest[]): Promise<readonly PolicyDecision[]>
}

const mostRemembered = 1_000
const mostAtOnce = 100
const mostBytes = 16_384

interface Remembered {
  readonly permitted: boolean
  readonly until: number
}

/** `createPolicyService({ url: 'https://pdp.example/access/v1/evaluation' })`. */
export function createPolicyService(options: PolicyServiceOptions): PolicyService {
  const { url, deadline = 1_000, onFailure = 'deny', cacheSeconds = 0 } = options
  for (const address of [url, options.evaluationsUrl ?? url])
    if (!isAllowedAddress(address)) throw new TypeError('a policy service is reached by https, or on loopback')
  const evaluationsUrl = options.evaluationsUrl ?? evaluationsUrlOf(url)
  const time = options.time ?? systemTime
  const outbound = createOutbound(nodeTransport(options.ca), time)
  const remembered = new Lru<string, Remembered>(mostRemembered)

  async function ask(address: string, body: JsonObject, bytes: number): Promise<JsonObject | null> {
    const token = await tokenOf(options)
    if (token === null) return null
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-request-id': randomUUID(),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    const request = { url: address, method: 'POST' as const, headers, body: JSON.stringify(body) }
    const answer = await outbound.fetchWhole(request, { bytes, milliseconds: deadline })
    // §10.1.3: any other answer is not a decision.
    const isJson = /^application\/json\b/i.test(answer?.header('content-type') ?? '')
    return answer?.status === 200 && isJson ? parseJsonObject(answer.text) : null
  }

  const known = (key: string): PolicyDecision | null => {
    const found = cacheSeconds > 0 ? remembered.get(key) : undefined
    if (found === undefined || found.until <= time.monotonic()) return null
    return found.permitted ? 'permit' : 'deny'
  }

  function decided(key: string, answer: unknown): PolicyDecision {
    const evaluation = readEvaluation(answer)
    if (evaluation === null) return onFailure === 'allow' ? 'permit' : 'unavailable'
    if (cacheSeconds > 0)
      remembered.set(key, { permitted: evaluation.decision, until: time.monotonic() + cacheSeconds * 1000 })
    return evaluation.decision ? 'permit' : 'deny'
  }

  async function evaluateSome(questions: readonly EvaluationRequest[]): Promise<readonly PolicyDecision[]> {
    const keys = questions.map((it) => JSON.stringify(it))
    const before = keys.map(known)
    const open = questions.filter((_, i) => before[i] === null)
    if (open.length === 0) return before.map((it) => it ?? 'unavailable')
    const body = { evaluations: open.map((it) => ({ ...it })) } as unknown as JsonObject
    const { evaluations } = (await ask(evaluationsUrl, body, mostBytes * open.length)) ?? {}
    // §7.2: one evaluation for each question, in their order; any other answer decides none of them.
    const answers: readonly unknown[] =
      Array.isArray(evaluations) && evaluations.length === open.length ? evaluations : []
    let next = 0
    return keys.map((key, i) => before[i] ?? decided(key, answers[next++] ?? null))
  }

  return {
    async evaluate(question) {
      const key = JSON.stringify(question)
      return known(key) ?? decided(key, await ask(url, { ...question } as unknown as JsonObject, mostBytes))
    },
    async evaluateAll(questions) {
      const parts: (readonly PolicyDecision[])[] = []
      for (let at = 0; at < questions.length; at += mostAtOnce)
        parts.push(await evaluateSome(questions.slice(at, at + mostAtOnce)))
      return parts.flat()
    },
  }
}

/** Appends to the path only: appended to a URL without a path, the s would change the host. */
function evaluationsUrlOf(url: string): string {
  const address = new URL(url)
  address.pathname += 's'
  return address.href
}

/** Null where the function that gets a token failed; undefined where no token is configured. */
async function tokenOf({ token }: PolicyServiceOptions): Promise<string | null | undefined> {
  try {
    return typeof token === 'function' ? await token() : token
  } catch {
    return null
  }
}
