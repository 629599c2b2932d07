/** What the main thread and the writer thread send each other. */
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { VerbName } from '../../verbs/index.ts'
import type { Issuance } from '../../verbs/tokens/tokens.ts'

export interface WriterData {
  readonly path: string
  readonly auditKey: Uint8Array
}

export interface VerbCall {
  readonly kind: 'verb'
  readonly name: VerbName
  readonly args: readonly unknown[]
  /** Where the suite lets it fail: before this step. */
  readonly breakAt: number | null
  /** By the monotonic clock that all threads share. */
  readonly calledAt: number
}

/**
 * `tokens.issue` as most tokens call it: nothing is spent or stored, one event, in the tenant of the basis. A thread
 * copies what it is sent object by object, so plain values side by side cost a third of the call they stand for: 1.2 µs
 * instead of 3.7.
 */
export interface PlainIssue {
  readonly kind: 'plain-issue'
  readonly tenant: TenantId
  readonly revision: number
  readonly clientId: string
  readonly version: number
  readonly at: Instant
  readonly loggedAt: Instant
  readonly feed: 0 | 1
  readonly subject: string | null
  readonly body: string
  readonly calledAt: number
}

/** The same of a token that is bound to a key, with the proof of it. */
export interface ProvenIssue extends Omit<PlainIssue, 'kind'> {
  readonly kind: 'proven-issue'
  readonly proof: Handle
  readonly proofUntil: Instant
}

export type WorkerMessage = VerbCall | PlainIssue | ProvenIssue

/** Each group is answered with its GroupAnswers. */
export type ToWriter = readonly WorkerMessage[] | 'close'

export interface CallFailure {
  readonly index: number
  /** The database was at fault, and not the call. */
  readonly outage: boolean
  readonly message: string
}

export interface GroupAnswers {
  readonly values: readonly unknown[]
  /** The calls that did not answer, in their order. */
  readonly failures: readonly CallFailure[]
  readonly sealed: number
}

/** Milliseconds. Unlike `performance.now()` it counts from the same moment in every thread. */
export function monotonicNow(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

export function messageOf(call: VerbCall): WorkerMessage {
  if (call.name !== 'tokens.issue' || call.breakAt !== null) return call
  const { basis, at, grantId, spend, successor, opaque, statusEntry, proof, binding, entries } = call
    .args[0] as Issuance
  const [entry] = entries
  const isPlain =
    grantId === null &&
    spend === null &&
    successor === null &&
    opaque === null &&
    statusEntry === undefined &&
    binding === null &&
    entries.length === 1
  if (!isPlain || entry === undefined || entry.tenant !== basis.tenant || basis.client === null) return call
  const { tenant, revision, client } = basis
  const { at: loggedAt, feed, subject, body } = entry
  const { id: clientId, version } = client
  const { calledAt } = call
  return proof === null
    ? { kind: 'plain-issue', tenant, revision, clientId, version, at, loggedAt, feed, subject, body, calledAt }
    : {
        kind: 'proven-issue',
        tenant,
        revision,
        clientId,
        version,
        at,
        loggedAt,
        feed,
        subject,
        body,
        calledAt,
        proof: proof.handle,
        proofUntil: proof.expiresAt,
      }
}

export function callOf(message: WorkerMessage): VerbCall {
  if (message.kind === 'verb') return message
  const { tenant, revision, clientId, version, at, loggedAt, feed, subject, body, calledAt } = message
  const issuance: Issuance = {
    basis: { tenant, revision, client: { id: clientId, version } },
    at,
    grantId: null,
    spend: null,
    successor: null,
    opaque: null,
    proof: message.kind === 'plain-issue' ? null : { handle: message.proof, expiresAt: message.proofUntil },
    binding: null,
    entries: [{ tenant, at: loggedAt, feed, subject, body }],
  }
  return { kind: 'verb', name: 'tokens.issue', args: [issuance], breakAt: null, calledAt }
}
