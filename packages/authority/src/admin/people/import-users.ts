/** Brings people over from elsewhere, many at a time: what is wrong with one is said of that one, and holds up nobody. */
import type { Actor } from '@grantor/protocol/events'
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

/** What became of one, or would. */
export type ImportOutcome =
  /** `taken`: of the names at other providers those that are another's here; they stay behind. */
  | { readonly kind: 'created'; readonly taken: readonly UpstreamName[] }
  /** That account is here already, by its id or, where none was brought, by its name. */
  | { readonly kind: 'present' }
  /** The name is another person's, or the id a client's. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }

export interface UserImport {
  readonly tenant: TenantId
  readonly users: readonly ImportedUser[]
  /** Only say what would become of each. */
  readonly plan: boolean
}

export interface ImportDependencies extends EventDependencies {
  readonly vault: Vault
  readonly store: Pick<Store, 'identities' | 'users'>
}

/** One commit for all of them; an outcome for each, in their order. */
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
  // Made by somebody else since we looked, or twice in one file.
  const settled = users.map((user, at) =>
    answers.get(user) === 'exists' ? { kind: 'taken' as const } : (outcomes[at] as ImportOutcome),
  )
  return ok(settled)
}

/** What they brought to sign in with is told, and the roles they hold from now on. */
const eventData = ({ ownRoles, sealedTotp, identities = [] }: BroughtUser): JsonObject => ({
  created: true,
  imported: true,
  ...(ownRoles === undefined ? {} : { roles: ownRoles.join(' ') }),
  ...(sealedTotp === undefined ? {} : { factor: 'totp' }),
  ...(identities.length === 0 ? {} : { providers: identities.map(({ provider }) => provider).join(' ') }),
})

/** Fewer than a pool of connections has: whoever waits for one too long is told that the database is away. */
const lookedUpAtOnce = 6

async function foreseenOf(
  tenant: TenantId,
  users: readonly ImportedUser[],
  deps: ImportDependencies,
): Promise<readonly ImportOutcome[]> {
  const outcomes: ImportOutcome[] = []
  for (let from = 0; from < users.length; from += lookedUpAtOnce) {
    const some = users.slice(from, from + lookedUpAtOnce)
    outcomes.push(...(await Promise.all(some.map((user) => foreseen(tenant, user, deps)))))
  }
  return outcomes
}

async function foreseen(tenant: TenantId, user: ImportedUser, { store }: ImportDependencies): Promise<ImportOutcome> {
  const problems = importProblems(user)
  if (problems.length > 0) return { kind: 'invalid', problems }
  const sameName = await store.users.byUsername(tenant, user.username)
  if (user.id !== null && (await store.users.byId(tenant, user.id)) !== null) return { kind: 'present' }
  if (sameName !== null) return { kind: user.id === null ? 'present' : 'taken' }
  const taken: UpstreamName[] = []
  for (const name of user.identities ?? []) if ((await store.identities.find(tenant, name)) !== null) taken.push(name)
  return { kind: 'created', taken }
}

/** OIDC Core §2: a subject has at most 255 ASCII characters. */
const subject = /^[\x21-\x7E]{1,255}$/

/** RFC 4226 §4 asks for 128 bits; apps have long been given 80, and less is guessed. */
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
    mustChangePassword: false,
    ...(roles.length === 0 ? {} : { ownRoles: roles }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(attributes === undefined ? {} : { attributes }),
    ...(secret === undefined ? {} : { sealedTotp: vault.seal(secret, totpContext(tenant, id)) }),
    ...(identities.length === 0 ? {} : { identities }),
  }
}
