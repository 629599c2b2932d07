/** A provider is asked for security events (RFC 8936 §2.4): taken as if it had pushed them, and acknowledged after that. */
import { parseJwt } from '@grantor/protocol/jose'
import { textLimits } from '@grantor/protocol/oauth'
import type { StoredProvider } from '@grantor/protocol/providers'
import { err, ok, type Result } from '@grantor/protocol/result'
import { type PollAnswer, readPollAnswer, setErrorOf } from '@grantor/protocol/ssf'
import type { Json, TenantId } from '@grantor/protocol/types'
import type { UpstreamLogoutDependencies } from '../backchannel-logout.ts'
import { documentIn, documentTypes } from '../upstream.ts'
import type { SignalsAuthorization } from './authorization.ts'
import { receiveSignal } from './receive.ts'

export interface PollDependencies extends UpstreamLogoutDependencies {
  readonly authorization: SignalsAuthorization
}

export interface PolledProvider {
  readonly tenant: TenantId
  readonly provider: StoredProvider
  /** How many tokens are asked for at a time. */
  readonly most: number
  /** Whether to come to an end: what was taken is still acknowledged. */
  isOver(): boolean
}

export interface PollOutcome {
  /** How many tokens were good. */
  readonly taken: number
  /** The check that the last one failed which did not serve. */
  readonly refused: string | null
  /** Why it did not come to its end; in the operator's words. */
  readonly failure: string | null
  /** Whether there is more to ask for. */
  readonly more: boolean
  /** Seconds that it asked to be left alone; 0 where it did not. */
  readonly retryAfter: number
}

/** What an answer may hold. */
const mostBytes = 1024 * 1024
/** Milliseconds for one answer. */
const deadline = 5_000
/** Answers in a row, however much more there may be. */
const mostRounds = 20
const cause = { purpose: 'shared_signals', clientId: null } as const

/** What became of tokens, to be reported with the next question. */
interface Receipts {
  readonly ack: readonly string[]
  /** By id: the check that failed. */
  readonly problems: readonly (readonly [string, string])[]
  /** Not said anything of: they come again. */
  readonly left: number
}

const none: Receipts = { ack: [], problems: [], left: 0 }

export async function pollSignals(at: PolledProvider, deps: PollDependencies): Promise<PollOutcome> {
  let [taken, refused]: [number, string | null] = [0, null]
  let receipts = none
  let more = true
  let retryAfter = 0
  const onRetryAfter = (seconds: number) => void (retryAfter = seconds)
  for (let round = 0; ; round++) {
    // §2.4.2: whoever only acknowledges asks for none.
    const most = more && receipts.left === 0 && round < mostRounds && !at.isOver() ? at.most : 0
    const answer = await ask(at, { most, receipts, onRetryAfter }, deps)
    if (answer.kind === 'error') return { taken, refused, failure: answer.error, more: false, retryAfter }
    if (most === 0) return { taken, refused, failure: receipts.left > 0 ? 'keys' : null, more, retryAfter }
    receipts = await take(at, answer.value, deps)
    taken += receipts.ack.length
    refused = receipts.problems.at(-1)?.[1] ?? refused
    // Who has more and gives nothing has nothing for now.
    more = answer.value.moreAvailable && answer.value.sets.length > 0
    const reported = receipts.ack.length + receipts.problems.length
    if (reported === 0) return { taken, refused, failure: receipts.left > 0 ? 'keys' : null, more, retryAfter }
  }
}

interface Question {
  readonly most: number
  readonly receipts: Receipts
  readonly onRetryAfter: (seconds: number) => void
}

async function ask(
  { tenant, provider }: PolledProvider,
  { most, receipts, onRetryAfter }: Question,
  deps: PollDependencies,
): Promise<Result<PollAnswer, string>> {
  const shown = await deps.authorization.of({ tenant, provider })
  if (shown.kind === 'error') return shown
  const content = JSON.stringify({
    maxEvents: most,
    returnImmediately: true,
    ack: receipts.ack,
    setErrs: Object.fromEntries(
      receipts.problems.map(([id, problem]) => [id, { err: setErrorOf(problem), description: problem }]),
    ),
  })
  const answer = await deps.outbound.submit({
    url: provider.signals_url ?? '',
    // RFC 8936 §2.6: what language descriptions of errors are of.
    message: {
      type: 'application/json',
      content,
      headers: receipts.problems.length === 0 ? {} : { 'content-language': 'en' },
    },
    authorization: shown.value,
    types: documentTypes,
    maxBytes: mostBytes,
    deadline,
    onRetryAfter,
    cause,
  })
  if (answer.kind === 'error') {
    if (answer.error === 'status') deps.authorization.forget({ tenant, provider })
    return answer
  }
  // An acknowledgement alone may be answered with anything.
  if (most === 0) return ok({ sets: [], moreAvailable: false })
  const read = readPollAnswer(documentIn(answer.value.body), most)
  return read === null ? err('answer') : ok(read)
}

/** Nothing is acknowledged before what it causes is committed. */
async function take(at: PolledProvider, { sets }: PollAnswer, deps: PollDependencies): Promise<Receipts> {
  const ack: string[] = []
  const problems: [string, string][] = []
  for (const [id, token] of sets) {
    if (at.isOver()) break
    const problem = await takeOne(at, { id, token }, deps)
    // Without the keys nothing can be said of the others either.
    if (problem === 'unavailable') return { ack, problems, left: sets.length - ack.length - problems.length }
    if (problem === null) ack.push(id)
    else problems.push([id, problem])
  }
  return { ack, problems, left: 0 }
}

async function takeOne(
  { tenant, provider }: PolledProvider,
  { id, token }: { readonly id: string; readonly token: Json },
  deps: PollDependencies,
): Promise<string | null> {
  if (typeof token !== 'string' || token.length > textLimits.jwt) return 'token_malformed'
  // §2.3: they are called by it, so that what is acknowledged is what was read.
  const jwt = parseJwt(token)
  if (jwt !== null && jwt.claims['jti'] !== id) return 'token_jti'
  const outcome = await receiveSignal({ tenant, provider: provider.id, token }, deps)
  if (outcome.did === 'refused') return outcome.problem
  return outcome.did === 'taken' ? null : 'unavailable'
}
