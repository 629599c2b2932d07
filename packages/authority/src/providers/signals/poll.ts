/**
 * Polls a provider for security events (RFC 8936 §2.4): each is processed as if it had been pushed, and then
 * acknowledged.
 */
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
  /** How many tokens to ask for at a time. */
  readonly most: number
  /** Whether to finish now: processed tokens are still acknowledged. */
  isOver(): boolean
}

export interface PollOutcome {
  /** How many tokens were accepted. */
  readonly taken: number
  /** The check that the last refused token failed. */
  readonly refused: string | null
  /** Why polling stopped early, as a text for the operator. */
  readonly failure: string | null
  /** Whether more tokens wait. */
  readonly more: boolean
  /** The seconds of its Retry-After; 0 where it sent none. */
  readonly retryAfter: number
}

/** The longest answer. */
const mostBytes = 1024 * 1024
/** Milliseconds for one answer. */
const deadline = 5_000
/** The most polls in one run, even if more tokens wait. */
const mostRounds = 20
const cause = { purpose: 'shared_signals', clientId: null } as const

/** The results for received tokens, to be reported with the next poll. */
interface Receipts {
  readonly ack: readonly string[]
  /** By token id: the check that failed. */
  readonly problems: readonly (readonly [string, string])[]
  /** Tokens without a result: they will be sent again. */
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
    // §2.4.2: a request that only acknowledges asks for no tokens.
    const most = more && receipts.left === 0 && round < mostRounds && !at.isOver() ? at.most : 0
    const answer = await ask(at, { most, receipts, onRetryAfter }, deps)
    if (answer.kind === 'error') return { taken, refused, failure: answer.error, more: false, retryAfter }
    if (most === 0) return { taken, refused, failure: receipts.left > 0 ? 'keys' : null, more, retryAfter }
    receipts = await take(at, answer.value, deps)
    taken += receipts.ack.length
    refused = receipts.problems.at(-1)?.[1] ?? refused
    // A provider that reports more but sends no token has none for now.
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
    // RFC 8936 §2.6: the language of the error descriptions.
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
  // The answer to a pure acknowledgement is ignored.
  if (most === 0) return ok({ sets: [], moreAvailable: false })
  const read = readPollAnswer(documentIn(answer.value.body), most)
  return read === null ? err('answer') : ok(read)
}

/** A token is acknowledged only after its effect is committed. */
async function take(at: PolledProvider, { sets }: PollAnswer, deps: PollDependencies): Promise<Receipts> {
  const ack: string[] = []
  const problems: [string, string][] = []
  for (const [id, token] of sets) {
    if (at.isOver()) break
    const problem = await takeOne(at, { id, token }, deps)
    // Without the keys the other tokens cannot be verified either.
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
  // §2.3: the answer names tokens by their jti, so the acknowledged id must be the one that was read.
  const jwt = parseJwt(token)
  if (jwt !== null && jwt.claims['jti'] !== id) return 'token_jti'
  const outcome = await receiveSignal({ tenant, provider: provider.id, token }, deps)
  if (outcome.did === 'refused') return outcome.problem
  return outcome.did === 'taken' ? null : 'unavailable'
}
