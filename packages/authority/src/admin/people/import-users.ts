/** Brings people over from elsewhere, many at a time: what is wrong with one is said of that one, and holds up nobody. */
import type { Actor } from '@grantor/protocol/events'
import { ok } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { Store, UserRow } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import { passwordHashProblem } from '../../people/hash-schemes.ts'
import type { AdminResult, FieldProblem } from '../result.ts'
import type { ImportedUser } from './create-user.ts'
import { personProblems } from './user-records.ts'

/** What became of one, or would. */
export type ImportOutcome =
  | { readonly kind: 'created' }
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
  readonly store: Pick<Store, 'users'>
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
    rows.map(({ id }) =>
      newEvent(deps, localOrigin(tenant), 'admin.user_changed', {
        actor: by,
        subject: id,
        data: { created: true, imported: true },
      }),
    ),
  )
  const answers = new Map(fit.map((user, at) => [user, made[at]]))
  // Made by somebody else since we looked, or twice in one file.
  const settled = users.map((user, at) =>
    answers.get(user) === 'exists' ? { kind: 'taken' as const } : (outcomes[at] as ImportOutcome),
  )
  return ok(settled)
}

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
  if (user.id === null) return { kind: sameName === null ? 'created' : 'present' }
  if ((await store.users.byId(tenant, user.id)) !== null) return { kind: 'present' }
  return { kind: sameName === null ? 'created' : 'taken' }
}

/** OIDC Core §2: a subject has at most 255 ASCII characters. */
const subject = /^[\x21-\x7E]{1,255}$/

function importProblems({ id, username, claims, passwordHash }: ImportedUser): readonly FieldProblem[] {
  const problems = [...personProblems({ username, claims, administrator: null })]
  if (id !== null && !subject.test(id))
    problems.push({ field: 'id', problem: 'must have 1 to 255 visible ASCII characters' })
  const wrong = passwordHash === null ? null : passwordHashProblem(passwordHash)
  if (wrong !== null) problems.push({ field: 'password_hash', problem: wrong })
  return problems
}

function rowOf(tenant: TenantId, user: ImportedUser, { clock, ids }: ImportDependencies): Omit<UserRow, 'version'> {
  const now = clock.now()
  const createdAt = user.createdAt !== null && user.createdAt <= now ? user.createdAt : now
  return {
    tenant,
    id: user.id ?? ids.id(),
    username: user.username,
    claims: user.claims,
    createdAt,
    disabledAt: user.disabled ? now : null,
    passwordHash: user.passwordHash,
    passwordChangedAt: user.passwordHash === null ? null : createdAt,
    administrator: null,
    mustChangePassword: false,
  }
}
