/** Reads the signed snapshot of the feed: signature, type and issuer are checked before any of it is used. */
import { type FeedSnapshot, parseFeedSnapshot, snapshotType } from '@grantor/protocol/feed'
import { parseJwt } from '@grantor/protocol/jose'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import type { KeySource } from '../issuer/key-source.ts'

export interface SnapshotExpectation {
  readonly issuer: string
  readonly keys: KeySource
  readonly now: Instant
}

/** An older snapshot is a replay or comes from a cache, and the events that follow it may no longer be kept. */
const longestAge = 60 * 60 * 1000
const leeway = 60 * 1000

export type SnapshotError = 'malformed' | 'type' | 'key' | 'signature' | 'issuer' | 'age'

export async function readSnapshot(
  jwt: string,
  rule: SnapshotExpectation,
): Promise<Result<FeedSnapshot, SnapshotError>> {
  const parsed = parseJwt(jwt.trim())
  if (parsed === null) return err('malformed')
  const key = await rule.keys.seek(parsed.kid, parsed.alg)
  if (key.kind === 'error') return err('key')
  if (!key.value.verify(parsed.alg, parsed.signed, parsed.signature)) return err('signature')
  // RFC 8725 §3.11: an access token of the same key must not pass for a snapshot.
  if (parsed.typ !== snapshotType) return err('type')
  const snapshot = parseFeedSnapshot(parsed.claims)
  if (snapshot === null) return err('malformed')
  if (snapshot.issuer !== rule.issuer) return err('issuer')
  const age = rule.now - snapshot.issuedAt
  return age > longestAge || age < -leeway ? err('age') : ok(snapshot)
}
