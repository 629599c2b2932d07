/** The messages between the main thread and the writer thread. */
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
  /** For the contract suite: the step before which the call fails. */
  readonly breakAt: number | null
  /** By the monotonic clock that all threads share. */
  readonly calledAt: number
}

/**
 * `tokens.issue` in its most frequent form: nothing is spent or stored, one event, in the tenant of the basis. Messages
 * are cloned object by object, so flat values cost a third of the general call: 1.2 µs instead of 3.7.
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

/** The same for a token that is bound to a key, with the proof of that key. */
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
  /** Whether the database failed, and not the call. */
  readonly outage: boolean
  readonly message: string
}

export interface GroupAnswers {
  readonly values: readonly unknown[]
  /** The calls that failed, in their order. */
  readonly failures: readonly CallFailure[]
  readonly sealed: number
}

/** Milliseconds. Unlike `performance.now()` it has the same origin in every thread. */
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
