/** Access tokens: issuance, the stored opaque ones, and revocation by id. */
import type { AccessTokenFacts, Confirmation, TokenStatus } from '@grantor/protocol/oauth'
import type { GrantId, Handle, Instant, TenantId, TokenId } from '@grantor/protocol/types'
import type { Basis } from '../../contract/directory/basis.ts'
import type { NewRefresh, Spend } from '../../contract/tokens/grants.ts'
import type { StatusEntry } from '../../contract/tokens/status-lists.ts'
import type { NewOpaqueToken, RevocableToken, TokenStore } from '../../contract/tokens/tokens.ts'
import type { UsedProof } from '../../contract/tokens/used-proof.ts'
import { basisHolds } from '../directory/basis.ts'
import type { Entry } from '../entry.ts'
import { asText, asWords, instant, json, maybeInstant, maybeText, text, words } from '../row.ts'
import { changed, first, log, lookup, run, sql, undo, type Verb } from '../verb.ts'
import { insertEntry } from './status-lists.ts'
import { useProof } from './used-proofs.ts'

/** An issuance as it is sent to the writer: plain values, and encoded events. */
export interface Issuance {
  readonly basis: Basis
  readonly at: Instant
  readonly grantId: GrantId | null
  readonly spend: Spend | null
  readonly successor: NewRefresh | null
  readonly opaque: NewOpaqueToken | null
  readonly statusEntry?: StatusEntry
  readonly proof: UsedProof | null
  readonly binding: Confirmation | null
  readonly entries: readonly Entry[]
}

/**
 * Every token is issued by this verb, so it has two faster texts, each for a part of the inputs: a plain message to the
 * SQLite writer (drivers/sqlite/worker-message.ts), and one statement for many issuances on PostgreSQL
 * (drivers/postgres/batching/issue-statement.ts). test/issue-texts.test.ts compares the answers and rows of all three:
 * a change here needs the same change there.
 */
export function* issue(
  issuance: Issuance,
): Verb<'committed' | 'stale' | 'already-spent' | 'grant-dead' | 'proof-used'> {
  const { tenant } = issuance.basis
  if (!(yield* basisHolds(issuance.basis))) return 'stale'
  if (issuance.spend !== null && !(yield* spend(tenant, issuance.spend, issuance))) return 'already-spent'
  if (issuance.grantId !== null) {
    // This update also locks the grant against a concurrent revocation: whichever comes second sees the first.
    const alive = yield* changed(
      issuance.binding === null
        ? sql`update grants set last_used_at = ${issuance.at}
            where tenant = ${tenant} and id = ${issuance.grantId} and revoked_at is null`
        : sql`update grants set last_used_at = ${issuance.at}, confirmation = ${asText(issuance.binding)}
            where tenant = ${tenant} and id = ${issuance.grantId} and revoked_at is null`,
    )
    if (!alive) {
      yield* undo()
      return 'grant-dead'
    }
  }
  if (issuance.proof !== null && !(yield* useProof(tenant, issuance.proof))) {
    yield* undo()
    return 'proof-used'
  }
  if (issuance.successor !== null) yield* insertRefresh(tenant, issuance.successor)
  if (issuance.opaque !== null) yield* insertOpaque(tenant, issuance.opaque)
  if (issuance.statusEntry !== undefined) yield* insertEntry(tenant, issuance.statusEntry)
  yield* log(issuance.entries)
  return 'committed'
}

/** The guard is in the WHERE: of concurrent requests exactly one updates the row. */
function* spend(tenant: TenantId, order: Spend, issuance: Pick<Issuance, 'at' | 'successor'>): Verb<boolean> {
  switch (order.kind) {
    case 'code':
      return yield* changed(sql`update codes set spent_at = ${issuance.at}
          where tenant = ${tenant} and handle = ${order.handle} and spent_at is null`)
    case 'refresh':
      return yield* changed(sql`update refresh_tokens
          set spent_at = ${issuance.at}, successor = ${issuance.successor?.handle ?? null}, spent_for = ${order.spentFor ?? null}
          where tenant = ${tenant} and handle = ${order.handle} and spent_at is null`)
    case 'device':
      return yield* changed(sql`update device_codes
          set redeemed_at = ${issuance.at}, successor = ${issuance.successor?.handle ?? null}, spent_for = ${order.spentFor ?? null}
          where tenant = ${tenant} and handle = ${order.handle} and redeemed_at is null`)
    case 'device-retry':
      return yield* retryByDevice(tenant, order)
    case 'retry':
      // Changes nothing, but locks the successor's row, so that nobody can spend the successor at the same time.
      return yield* changed(sql`update refresh_tokens set expires_at = expires_at
          where tenant = ${tenant} and handle = ${order.successor} and spent_at is null and exists (
            select 1 from refresh_tokens p
            where p.tenant = ${tenant} and p.handle = ${order.handle} and p.successor = ${order.successor})`)
  }
}

/** As for 'retry': if there is a successor, its row is locked, so that nobody can spend it at the same time. */
function* retryByDevice(tenant: TenantId, order: Extract<Spend, { kind: 'device-retry' }>): Verb<boolean> {
  const redeemed = yield* first(
    order.successor === null
      ? sql`select handle from device_codes where tenant = ${tenant} and handle = ${order.handle} and redeemed_at is not null`
      : sql`update refresh_tokens set expires_at = expires_at
          where tenant = ${tenant} and handle = ${order.successor} and spent_at is null and exists (
            select 1 from device_codes d
            where d.tenant = ${tenant} and d.handle = ${order.handle} and d.successor = ${order.successor})
          returning handle`,
  )
  return redeemed !== null
}

function* insertRefresh(tenant: TenantId, token: NewRefresh): Verb<void> {
  yield* run(sql`insert into refresh_tokens (tenant, handle, grant_id, scope, salt, expires_at)
    values (${tenant}, ${token.handle}, ${token.grantId}, ${token.scope}, ${token.salt}, ${token.expiresAt})`)
}

function* insertOpaque(tenant: TenantId, token: NewOpaqueToken): Verb<void> {
  yield* run(sql`insert into opaque_tokens
      (tenant, handle, jti, client_id, subject, grant_id, audience, scope, issued_at, expires_at, claims)
    values (${tenant}, ${token.handle}, ${token.jti}, ${token.clientId}, ${token.subject}, ${token.grantId}, ${token.audience},
      ${asWords(token.scope)}, ${token.issuedAt}, ${token.expiresAt}, ${asText(token.claims)})`)
}

export function* opaque(tenant: TenantId, handle: Handle): Verb<AccessTokenFacts | null> {
  const row = yield* first(lookup`select * from opaque_tokens where tenant = ${tenant} and handle = ${handle}`)
  return (
    row && {
      jti: text(row, 'jti') as TokenId,
      clientId: text(row, 'client_id'),
      subject: text(row, 'subject'),
      grantId: maybeText(row, 'grant_id') as GrantId | null,
      audience: text(row, 'audience'),
      scope: words(row, 'scope'),
      issuedAt: instant(row, 'issued_at'),
      expiresAt: instant(row, 'expires_at'),
      claims: json(row, 'claims'),
    }
  )
}

/** A grant without a row ended before its tokens expired: it counts as ended from the beginning. */
const endedLongAgo = 0 as Instant

/**
 * The revocation of the token itself, of its grant, and of all tokens of its client, person, session, tenant or issuer,
 * in one read.
 */
export function* status(tenant: TenantId, token: RevocableToken): Verb<TokenStatus> {
  const { jti, grantId, clientId, subject, sessionId, issuedAt } = token
  // A token without a grant speaks for a client: the one it was issued to or, if it was exchanged, its subject.
  const speaksFor = grantId === null ? subject : clientId
  const row = yield* first(lookup`select r.revoked_at, g.id as grant_id, g.revoked_at as grant_revoked_at,
      s.ended_at as session_ended_at,
      (with asked (tenant, dimension, key) as (values ('', 'issuer', ''), (${tenant}, 'tenant', ''),
          (${tenant}, 'client', ${clientId}), (${tenant}, 'client', ${speaksFor}), (${tenant}, 'subject', ${subject}),
          (${tenant}, 'session', ${sessionId ?? ''}), (${tenant}, 'grant', ${grantId ?? ''}))
        select max(k.at) from asked a cross join token_cutoffs k
        where k.tenant = a.tenant and k.dimension = a.dimension and k.key = a.key and k.up_to >= ${issuedAt}) as cut_at
    from (select 1 as one) o
    left join revoked_tokens r on r.tenant = ${tenant} and r.jti = ${jti}
    left join grants g on g.tenant = ${tenant} and g.id = ${grantId ?? ''}
    left join sessions s on s.tenant = g.tenant and s.id = g.session_id`)
  if (row === null) throw new Error('a row from one row')
  const isGrantGone = grantId !== null && row['grant_id'] === null
  return {
    revokedAt: maybeInstant(row, 'revoked_at') ?? maybeInstant(row, 'cut_at'),
    grantRevokedAt: isGrantGone ? endedLongAgo : maybeInstant(row, 'grant_revoked_at'),
    sessionEndedAt: maybeInstant(row, 'session_ended_at'),
  }
}

export type Revocation = Omit<Parameters<TokenStore['revoke']>[0], 'events'>

export function* revoke(
  { tenant, jti, at, expiresAt }: Revocation,
  entries: readonly Entry[],
): Verb<'revoked' | 'already-revoked'> {
  const fresh = yield* changed(sql`insert into revoked_tokens (tenant, jti, revoked_at, expires_at)
    values (${tenant}, ${jti}, ${at}, ${expiresAt}) on conflict (tenant, jti) do nothing`)
  if (!fresh) return 'already-revoked'
  yield* log(entries)
  return 'revoked'
}
