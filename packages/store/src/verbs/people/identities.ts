/** Identities of people at other providers, and browsers that have left for a provider and not returned yet. */
import type { TenantId } from '@grantor/protocol/types'
import type { Identity, IdentityStore, ProviderVisit } from '../../contract/people/identities.ts'
import type { Proven } from '../../contract/people/sessions.ts'
import type { UpstreamName } from '../../contract/people/upstream-name.ts'
import type { BroughtUser, UserRow } from '../../contract/people/users.ts'
import type { Entry } from '../entry.ts'
import { bytes, instant, text } from '../row.ts'
import { all, changed, first, log, type Row, run, sql, undo, type Verb } from '../verb.ts'
import { keepTotp } from './factors.ts'
import { stillProven } from './proof.ts'
import { giveFirstToMany } from './held-roles.ts'
import { insertUsers } from './user-rows.ts'
import { create } from './users.ts'
import { hasWayIn } from './ways-in.ts'

const identityOf = (row: Row): Identity => ({
  tenant: text(row, 'tenant') as TenantId,
  provider: text(row, 'provider'),
  issuer: text(row, 'issuer'),
  upstreamSubject: text(row, 'upstream_subject'),
  subject: text(row, 'subject'),
  createdAt: instant(row, 'created_at'),
})

export function* find(tenant: TenantId, it: UpstreamName): Verb<Identity | null> {
  const row = yield* first(sql`select * from identities where tenant = ${tenant} and provider = ${it.provider}
    and issuer = ${it.issuer} and upstream_subject = ${it.upstreamSubject}`)
  return row && identityOf(row)
}

export function* of(tenant: TenantId, subject: string): Verb<readonly Identity[]> {
  const rows = yield* all(sql`select * from identities where tenant = ${tenant} and subject = ${subject}
    order by provider, issuer, upstream_subject`)
  return rows.map(identityOf)
}

export function* leadsToAdministrator(tenant: TenantId, provider: string): Verb<boolean> {
  // Starts from the administrators, who are few, not from all who have an identity there.
  const row =
    yield* first(sql`select i.subject from users u join identities i on i.tenant = u.tenant and i.subject = u.id
    where u.tenant = ${tenant} and u.administrator is not null and i.provider = ${provider} limit 1`)
  return row !== null
}

export function* createUser(
  user: Omit<UserRow, 'version'>,
  name: UpstreamName,
  entries: readonly Entry[],
): Verb<'created' | 'exists' | 'taken'> {
  const { tenant, id: subject, createdAt } = user
  if (!(yield* insert({ ...name, tenant, subject, createdAt }))) return 'taken'
  if ((yield* create(user, [])) === 'exists') {
    yield* undo()
    return 'exists'
  }
  yield* log(entries)
  return 'created'
}

/** Imports people of one tenant, each with everything that belongs to them: nobody is imported partially. */
export function* createMany(
  many: readonly BroughtUser[],
  entries: readonly Entry[],
): Verb<readonly ('created' | 'exists')[]> {
  const [firstPerson] = many
  if (firstPerson === undefined) return []
  const inserted = new Set(yield* insertUsers(many))
  // If an id appears twice, the first is used.
  const isNew = many.map(({ id }) => inserted.delete(id))
  const made = many.filter((_, at) => isNew[at])
  yield* giveFirstToMany(firstPerson.tenant, made)
  for (const { tenant, id: subject, createdAt, sealedTotp, identities = [] } of made) {
    if (sealedTotp !== undefined)
      yield* keepTotp({ tenant, subject, sealedSecret: sealedTotp, lastStep: 0, createdAt, lastUsedAt: null })
    for (const name of identities) yield* insert({ ...name, tenant, subject, createdAt })
  }
  yield* log(entries.filter((_, at) => isNew[at]))
  return isNew.map((it) => (it ? 'created' : 'exists'))
}

export function* link(
  it: Identity & Proven,
  entries: readonly Entry[],
): Verb<'linked' | 'taken' | 'another' | 'outdated'> {
  // It locks the person: of two concurrent links the second finds the first.
  if (!(yield* stillProven(it))) return 'outdated'
  const held = yield* of(it.tenant, it.subject)
  if (held.some(({ provider, issuer }) => provider === it.provider && issuer === it.issuer)) return 'another'
  if (!(yield* insert(it))) return 'taken'
  yield* log(entries)
  return 'linked'
}

function* insert(it: Identity): Verb<boolean> {
  return yield* changed(sql`insert into identities (tenant, provider, issuer, upstream_subject, subject, created_at)
    values (${it.tenant}, ${it.provider}, ${it.issuer}, ${it.upstreamSubject}, ${it.subject}, ${it.createdAt})
    on conflict do nothing`)
}

export function* unlink(
  { tenant, subject, provider, served }: Parameters<IdentityStore['unlink']>[0],
  entries: readonly Entry[],
): Verb<'unlinked' | 'absent' | 'last'> {
  yield* stillProven({ tenant, subject })
  const held = yield* of(tenant, subject)
  if (!held.some((it) => it.provider === provider)) return 'absent'
  if (!(yield* hasWayIn(tenant, subject, { served, without: provider }))) return 'last'
  yield* run(sql`delete from identities where tenant = ${tenant} and subject = ${subject} and provider = ${provider}`)
  yield* log(entries)
  return 'unlinked'
}

export function* leave(it: ProviderVisit): Verb<void> {
  yield* run(sql`insert into provider_visits (tenant, handle, provider, browser, sealed, expires_at)
    values (${it.tenant}, ${it.handle}, ${it.provider}, ${it.browser}, ${it.sealed}, ${it.expiresAt})`)
}

/** An expired visit is deleted, too. A wrong browser or provider deletes nothing. */
export function* comeBack(it: Parameters<IdentityStore['comeBack']>[0]): Verb<Uint8Array | null> {
  const row = yield* first(sql`delete from provider_visits where tenant = ${it.tenant} and handle = ${it.handle}
    and provider = ${it.provider} and browser = ${it.browser} returning sealed, expires_at`)
  return row === null || instant(row, 'expires_at') <= it.now ? null : bytes(row, 'sealed')
}
