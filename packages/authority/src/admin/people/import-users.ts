/**
 * Imports people from another system, many at a time: the problems of one person are reported for that person, and do
 * not stop the others.
 */
import type { Actor } from '@grantor/protocol/events'
import { normaliseUsername } from '@grantor/protocol/people'
import { ok } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { BroughtUser, Store, UpstreamName } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import { totpContext } from '../../factors/codes.ts'
import { passwordHashProblem } from '../../people/hash-schemes.ts'
import type { Vault } from '../../ports/vault.ts'
import type { AdminResult, FieldProblem } from '../result.ts'
import type { ImportedUser } from './create-user.ts'
import { personProblems } from './user-records.ts'

/** The outcome for one person, or the one that is planned. */
export type ImportOutcome =
  /** `taken`: identities at other providers that belong to another person here; they are not imported. */
  | { readonly kind: 'created'; readonly taken: readonly UpstreamName[] }
  /** The account exists already, by its id or, where none was given, by its name. */
  | { readonly kind: 'present' }
  /** The name belongs to another person, or the id to a client. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }

export interface UserImport {
  readonly tenant: TenantId
  readonly users: readonly ImportedUser[]
  /** Only plan: report the outcome for each. */
  readonly plan: boolean
}

export interface ImportDependencies extends EventDependencies {
  readonly vault: Vault
  readonly store: Pick<Store, 'identities' | 'users'>
}

/** Imports all in one commit; returns an outcome for each, in their order. */
export async function importUsers(
  by: Actor,
  { tenant, users, plan }: UserImport,
  deps: ImportDependencies,
): Promise<AdminResult<readonly ImportOutcome[]>> {
  const outcomes = await foreseenOf(tenant, users, deps)
  if (plan) return ok(outcomes)
  const fit = users.filter((_, at) => outcomes[at]?.kind === 'created')
  const rows = fit.map((user) => rowOf(tenant, user, deps))
  const made = await deps.store.users.createMany(
    rows,
    rows.map((row) =>
      newEvent(deps, localOrigin(tenant), 'admin.user_changed', { actor: by, subject: row.id, data: eventData(row) }),
    ),
  )
  const answers = new Map(fit.map((user, at) => [user, made[at]]))
  // An account that was created since the check, or that appears twice in one file.
  const settled = users.map((user, at) =>
    answers.get(user) === 'exists' ? { kind: 'taken' as const } : (outcomes[at] as ImportOutcome),
  )
  return ok(settled)
}

/** The sign-in methods that were imported, and the roles of the person. */
const eventData = ({ ownRoles, sealedTotp, identities = [] }: BroughtUser): JsonObject => ({
  created: true,
  imported: true,
  ...(ownRoles === undefined ? {} : { roles: ownRoles.join(' ') }),
  ...(sealedTotp === undefined ? {} : { factor: 'totp' }),
  ...(identities.length === 0 ? {} : { providers: identities.map(({ provider }) => provider).join(' ') }),
})

async function foreseenOf(
  tenant: TenantId,
  users: readonly ImportedUser[],
  { store }: ImportDependencies,
): Promise<readonly ImportOutcome[]> {
  const problems = users.map(importProblems)
  const valid = users.filter((_, at) => problems[at]?.length === 0)
  const here = await store.users.taken(tenant, {
    ids: valid.flatMap(({ id }) => id ?? []),
    usernames: valid.map(({ username }) => username),
  })
  const outcomes: ImportOutcome[] = []
  for (const [at, user] of users.entries()) {
    const wrong = problems[at] ?? []
    if (wrong.length > 0) outcomes.push({ kind: 'invalid', problems: wrong })
    else if (user.id !== null && here.ids.has(user.id)) outcomes.push({ kind: 'present' })
    else if (here.usernames.has(normaliseUsername(user.username) ?? ''))
      outcomes.push({ kind: user.id === null ? 'present' : 'taken' })
    else outcomes.push({ kind: 'created', taken: await takenNames(tenant, user, store) })
  }
  return outcomes
}

async function takenNames(
  tenant: TenantId,
  { identities = [] }: ImportedUser,
  store: ImportDependencies['store'],
): Promise<readonly UpstreamName[]> {
  const found: UpstreamName[] = []
  for (const name of identities) if ((await store.identities.find(tenant, name)) !== null) found.push(name)
  return found
}

/** OIDC Core §2: a subject has at most 255 ASCII characters. */
const subject = /^[\x21-\x7E]{1,255}$/

/** RFC 4226 §4 asks for 128 bits; apps have long been given 80, and fewer can be guessed. */
const fewestTotpBytes = 10
const mostTotpBytes = 128
const longestUpstreamSubject = 1024

function importProblems({ id, passwordHash, totpSecret, identities = [], ...user }: ImportedUser) {
  const { username, claims, attributes = null } = user
  const problems = [...personProblems({ username, claims, administrator: null, attributes })]
  if (id !== null && !subject.test(id))
    problems.push({ field: 'id', problem: 'must have 1 to 255 visible ASCII characters' })
  const wrong = passwordHash === null ? null : passwordHashProblem(passwordHash)
  if (wrong !== null) problems.push({ field: 'password_hash', problem: wrong })
  const bytes = totpSecret?.length ?? fewestTotpBytes
  if (bytes < fewestTotpBytes || bytes > mostTotpBytes)
    problems.push({ field: 'totp', problem: `must have ${fewestTotpBytes} to ${mostTotpBytes} bytes of secret` })
  if (identities.some(({ upstreamSubject: it }) => it === '' || it.length > longestUpstreamSubject))
    problems.push({ field: 'identities', problem: `must name people by 1 to ${longestUpstreamSubject} characters` })
  return problems
}

function rowOf(tenant: TenantId, user: ImportedUser, { clock, ids, vault }: ImportDependencies): BroughtUser {
  const id = user.id ?? ids.id()
  const { roles = [], groups = [], attributes, totpSecret: secret, identities = [] } = user
  const now = clock.now()
  const createdAt = user.createdAt !== null && user.createdAt <= now ? user.createdAt : now
  return {
    tenant,
    id,
    username: user.username,
    claims: user.claims,
    createdAt,
    disabledAt: user.disabled ? now : null,
    passwordHash: user.passwordHash,
    passwordChangedAt: user.passwordHash === null ? null : createdAt,
    administrator: null,
    mustChangePassword: user.passwordHash !== null && user.mustChangePassword === true,
    ...(roles.length === 0 ? {} : { ownRoles: roles }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(attributes === undefined ? {} : { attributes }),
    ...(secret === undefined ? {} : { sealedTotp: vault.seal(secret, totpContext(tenant, id)) }),
    ...(identities.length === 0 ? {} : { identities }),
  }
}
