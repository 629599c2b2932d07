/** Grants, to which codes, refresh tokens and access tokens belong. */
import type { CodeFacts, Grant, RefreshFacts } from '@grantor/protocol/grants'
import type { GrantId, Handle, Instant, TenantId } from '@grantor/protocol/types'
import { sidOf, subjectOf } from '@grantor/protocol/oidc'
import type { SessionParty } from '../../contract/outgoing/deliveries.ts'
import type { AssertedGrant, OpenGrant } from '../../contract/tokens/grants.ts'
import type { UsedGrant } from '../../contract/tokens/searches.ts'
import { spend } from '../clients/assertions.ts'
import { useBasis } from '../directory/basis.ts'
import type { Entry } from '../entry.ts'
import { joinParty } from '../outgoing/deliveries.ts'
import { closeInteraction } from '../people/interactions.ts'
import {
  asMaybeText,
  asText,
  asWords,
  bytes,
  deadUpTo,
  instant,
  list,
  maybeInstant,
  maybeJson,
  maybeText,
  number,
  objects,
  text,
  words,
} from '../row.ts'
import { all, changed, first, log, lookup, type Row, run, sql, undo, type Verb } from '../verb.ts'
import { consentWithdrawn, insertConsent } from './consents.ts'
import { use } from './pushed-requests.ts'

export type Opening = Omit<OpenGrant, 'events'>

export function* openGrant(opening: Opening, entries: readonly Entry[]): Verb<'opened' | 'stale' | 'already-closed'> {
  const { tenant } = opening.basis
  if (!(yield* useBasis(opening.basis))) return 'stale'
  if ((yield* sessionEnded(opening.grant)) || (yield* consentWithdrawn(tenant, opening.remembered ?? null))) {
    yield* undo()
    return 'stale'
  }
  if (opening.interaction !== null && (yield* closeInteraction(opening.interaction, opening.at)) === 'already-closed') {
    return 'already-closed'
  }
  if (opening.pushed !== null && (yield* use(tenant, opening.pushed, opening.at)) === 'already-used') {
    yield* undo()
    return 'already-closed'
  }
  yield* insertGrant(tenant, opening.grant)
  const { handle, redirectUri, redirectUriSent, challenge, expiresAt } = opening.code
  yield* run(sql`insert into codes (tenant, handle, grant_id, redirect_uri, redirect_uri_sent, challenge, expires_at)
    values (${tenant}, ${handle}, ${opening.grant.id}, ${redirectUri}, ${redirectUriSent ? 1 : 0}, ${challenge}, ${expiresAt})`)
  if (opening.consent !== null) yield* insertConsent(opening.consent)
  if (opening.party) yield* joinParty(opening.grant.authentication.sessionId, tenant, partyOf(opening.grant))
  yield* log(entries)
  return 'opened'
}

export function* openByAssertion(asserted: AssertedGrant): Verb<'opened' | 'stale' | 'already-spent' | 'proof-used'> {
  if (!(yield* useBasis(asserted.basis))) return 'stale'
  if (!(yield* isPersonActive(asserted.grant))) {
    yield* undo()
    return 'stale'
  }
  const spent = asserted.assertion === null ? 'spent' : yield* spend(asserted.assertion)
  if (spent !== 'spent') return spent
  yield* insertGrant(asserted.basis.tenant, asserted.grant)
  return 'opened'
}

/**
 * Locking the person's row orders this against any change that disables or deletes them. Either that change comes
 * second, and its cutoff ends the token of this grant; or it came first, and this finds the person gone. A person
 * without a row counts as gone as well: other issuers can only speak for people that we know.
 */
function* isPersonActive({ tenant, authentication }: Grant): Verb<boolean> {
  const user = yield* first(sql`update users set version = version
    where tenant = ${tenant} and id = ${authentication.subject} returning disabled_at, deletion_due_at`)
  return user !== null && user['disabled_at'] === null && user['deletion_due_at'] === null
}

/**
 * Locking the session's row orders this against its end: either the end comes second and finds the grant, or this finds
 * the session ended. A session without a row has not ended: it is not one of ours.
 */
export function* sessionEnded({ tenant, authentication }: Grant): Verb<boolean> {
  const session = yield* first(sql`update sessions set ended_at = ended_at
    where tenant = ${tenant} and id = ${authentication.sessionId} returning ended_at`)
  return session !== null && session['ended_at'] !== null
}

export const partyOf = (grant: Grant): SessionParty => ({
  clientId: grant.clientId,
  sid: sidOf(grant),
  sub: subjectOf(grant),
})

export function* insertGrant(tenant: TenantId, grant: Grant): Verb<void> {
  const { subject, sessionId, at, acr, amr } = grant.authentication
  yield* run(sql`insert into grants (tenant, id, client_id, subject, session_id, authenticated_at, acr, amr,
      scope, resources, authorization_details, claims, nonce, known_as, known_sid, created_at, expires_at, revoked_at,
      ends_with_session, confirmation)
    values (${tenant}, ${grant.id}, ${grant.clientId}, ${subject}, ${sessionId}, ${at}, ${acr}, ${asText(amr)},
      ${asWords(grant.scope)}, ${asText(grant.resources)}, ${asMaybeText(grant.authorizationDetails ?? null)},
      ${asMaybeText(grant.claims)}, ${grant.nonce}, ${grant.pairwiseSubject},
      ${grant.pairwiseSid}, ${grant.createdAt}, ${grant.expiresAt}, ${grant.revokedAt}, ${grant.endsWithSession},
      ${asMaybeText(grant.confirmation)})`)
}

export const grantOf = (row: Row): Grant => ({
  id: text(row, 'id') as GrantId,
  tenant: text(row, 'tenant') as TenantId,
  clientId: text(row, 'client_id'),
  authentication: {
    subject: text(row, 'subject'),
    sessionId: text(row, 'session_id'),
    at: instant(row, 'authenticated_at'),
    acr: text(row, 'acr'),
    amr: list(row, 'amr'),
  },
  scope: words(row, 'scope'),
  resources: list(row, 'resources'),
  ...detailsOf(row),
  claims: maybeJson(row, 'claims'),
  nonce: maybeText(row, 'nonce'),
  confirmation: maybeJson(row, 'confirmation'),
  pairwiseSubject: maybeText(row, 'known_as'),
  pairwiseSid: maybeText(row, 'known_sid'),
  createdAt: instant(row, 'created_at'),
  expiresAt: instant(row, 'expires_at'),
  revokedAt: maybeInstant(row, 'revoked_at'),
  endsWithSession: maybeText(row, 'ends_with_session'),
  sessionEndedAt: maybeInstant(row, 'session_ended_at'),
  ...deadUpTo(row),
})

/** Absent where the grant has none. */
const detailsOf = (row: Row): Pick<Grant, 'authorizationDetails'> =>
  row['authorization_details'] === null
    ? {}
    : { authorizationDetails: objects(row, 'authorization_details') as NonNullable<Grant['authorizationDetails']> }

export function* code(tenant: TenantId, handle: Handle): Verb<CodeFacts | null> {
  const row =
    yield* first(lookup`select g.*, s.ended_at as session_ended_at, c.redirect_uri, c.redirect_uri_sent, c.challenge,
      c.expires_at as code_expires_at, c.spent_at, c.failures,
      (with asked (tenant, dimension, key) as (values (g.tenant, 'subject', g.subject), (g.tenant, 'grant', g.id))
        select max(k.up_to) from asked a cross join token_cutoffs k
        where k.tenant = a.tenant and k.dimension = a.dimension and k.key = a.key) as dead_up_to
    from codes c join grants g on g.tenant = c.tenant and g.id = c.grant_id
    left join sessions s on s.tenant = g.tenant and s.id = g.session_id
    where c.tenant = ${tenant} and c.handle = ${handle}`)
  return (
    row && {
      grant: grantOf(row),
      redirectUri: text(row, 'redirect_uri'),
      redirectUriSent: row['redirect_uri_sent'] === 1,
      challenge: maybeText(row, 'challenge'),
      expiresAt: instant(row, 'code_expires_at'),
      spentAt: maybeInstant(row, 'spent_at'),
      failures: number(row, 'failures'),
    }
  )
}

export function* refresh(tenant: TenantId, handle: Handle): Verb<RefreshFacts | null> {
  const row =
    yield* first(lookup`select g.*, s.ended_at as session_ended_at, r.scope as refresh_scope, r.salt, r.expires_at as refresh_expires_at, r.spent_at, r.spent_for,
      n.spent_at as successor_spent_at,
      (with asked (tenant, dimension, key) as (values (g.tenant, 'subject', g.subject), (g.tenant, 'grant', g.id))
        select max(k.up_to) from asked a cross join token_cutoffs k
        where k.tenant = a.tenant and k.dimension = a.dimension and k.key = a.key) as dead_up_to
    from refresh_tokens r join grants g on g.tenant = r.tenant and g.id = r.grant_id
    left join sessions s on s.tenant = g.tenant and s.id = g.session_id
    left join refresh_tokens n on n.tenant = r.tenant and n.handle = r.successor
    where r.tenant = ${tenant} and r.handle = ${handle}`)
  return (
    row && {
      grant: grantOf(row),
      scope: words(row, 'refresh_scope'),
      expiresAt: instant(row, 'refresh_expires_at'),
      spentAt: maybeInstant(row, 'spent_at'),
      spentFor: maybeText(row, 'spent_for'),
      successorSpentAt: maybeInstant(row, 'successor_spent_at'),
      salt: bytes(row, 'salt'),
    }
  )
}

export function* find(tenant: TenantId, id: GrantId): Verb<Grant | null> {
  const row = yield* first(lookup`select g.*, s.ended_at as session_ended_at,
      (with asked (tenant, dimension, key) as (values (g.tenant, 'subject', g.subject), (g.tenant, 'grant', g.id))
        select max(k.up_to) from asked a cross join token_cutoffs k
        where k.tenant = a.tenant and k.dimension = a.dimension and k.key = a.key) as dead_up_to
    from grants g
    left join sessions s on s.tenant = g.tenant and s.id = g.session_id where g.tenant = ${tenant} and g.id = ${id}`)
  return row && grantOf(row)
}

export function* failVerifier(tenant: TenantId, handle: Handle, limit: number, at: Instant): Verb<void> {
  yield* run(sql`update codes set failures = failures + 1, spent_at = case when failures + 1 >= ${limit} then ${at} else spent_at end
    where tenant = ${tenant} and handle = ${handle} and spent_at is null`)
}

export function* revoke(
  { tenant, id, at }: { readonly tenant: TenantId; readonly id: GrantId; readonly at: Instant },
  entries: readonly Entry[],
): Verb<'revoked' | 'already-revoked'> {
  const revoked = yield* changed(sql`update grants set revoked_at = ${at}
    where tenant = ${tenant} and id = ${id} and revoked_at is null`)
  if (!revoked) return 'already-revoked'
  yield* log(entries)
  return 'revoked'
}

export function* clientsOf(
  tenant: TenantId,
  subject: string,
  { now, after, limit }: { readonly now: Instant; readonly after: string | null; readonly limit: number },
): Verb<readonly string[]> {
  const rows = yield* all(sql`select client_id from grants where tenant = ${tenant} and subject = ${subject}
      and client_id > ${after ?? ''} and revoked_at is null and expires_at > ${now}
    union select client_id from consents where tenant = ${tenant} and subject = ${subject}
      and client_id > ${after ?? ''} and revoked_at is null and (expires_at is null or expires_at > ${now})
    order by client_id limit ${limit}`)
  return rows.map((row) => text(row, 'client_id'))
}

export function* ofSubject(
  tenant: TenantId,
  subject: string,
  { clientId, limit }: { readonly clientId: string; readonly limit: number },
): Verb<readonly UsedGrant[]> {
  const rows = yield* all(sql`select g.*, s.ended_at as session_ended_at from grants g
    left join sessions s on s.tenant = g.tenant and s.id = g.session_id
    where g.tenant = ${tenant} and g.subject = ${subject} and g.client_id = ${clientId}
      and g.revoked_at is null
    order by g.created_at desc, g.id desc limit ${limit}`)
  return rows.map((row) => ({ ...grantOf(row), lastUsedAt: maybeInstant(row, 'last_used_at') }))
}
