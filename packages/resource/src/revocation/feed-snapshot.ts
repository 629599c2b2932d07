/** The signed snapshot of the feed: nothing of it is believed before its signature, type and issuer hold. */
import { type FeedSnapshot, parseFeedSnapshot, snapshotType } from '@grantor/protocol/feed'
import { parseJwt } from '@grantor/protocol/jose'
import type { Instant } from '@grantor/protocol/types'
import type { KeySource } from '../issuer/key-source.ts'

export interface SnapshotRule {
  readonly issuer: string
  readonly keys: KeySource
  readonly now: Instant
}

/** An older one is a replay, or of a cache that has lost touch; the log behind it is not kept much longer anyway. */
const oldest = 60 * 60 * 1000
const leeway = 60 * 1000

export type SnapshotFault = 'malformed' | 'type' | 'key' | 'signature' | 'issuer' | 'age'

export async function readSnapshot(jwt: string, rule: SnapshotRule): Promise<FeedSnapshot | SnapshotFault> {
  const parsed = parseJwt(jwt.trim())
  if (parsed === null) return 'malformed'
  const key = rule.keys.find(parsed.kid, parsed.alg) ?? (await rule.keys.seek(parsed.kid, parsed.alg))
  if (typeof key === 'string') return 'key'
  if (!key.verify(parsed.alg, parsed.signed, parsed.signature)) return 'signature'
  // RFC 8725 §3.11: an access token of the same key must not pass for a snapshot.
  if (parsed.typ !== snapshotType) return 'type'
  const snapshot = parseFeedSnapshot(parsed.claims)
  if (snapshot === null) return 'malformed'
  if (snapshot.issuer !== rule.issuer) return 'issuer'
  const age = rule.now - snapshot.issuedAt
  return age > oldest || age < -leeway ? 'age' : snapshot
}
