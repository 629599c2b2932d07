/**
 * Finds people by a SCIM filter: through an index where one narrows the search, otherwise within a bound; never reads
 * all people of a large tenant.
 */
import { normaliseUsername } from '@grantor/protocol/people'
import { ok } from '@grantor/protocol/result'
import {
  candidateQuestions,
  type Indexes,
  type IndexQuestion,
  mentions,
  parseFilter,
  predicateOf,
  userSchema,
} from '@grantor/protocol/scim'
import type { TenantId } from '@grantor/protocol/types'
import type { Store, UserRow } from '@grantor/store'
import type { ScimCall } from './collection.ts'
import { matching, mostExamined, pageLength, pages } from './matching.ts'
import type { ScimPage, ScimQuery, ScimResult } from './result.ts'
import { type Memberships, scimUsers } from './user-groups.ts'

/** `emails.value`: only the primary address is indexed, which is a claim; a person's other addresses are not. */
const indexes: Indexes = {
  id: ['eq'],
  username: ['eq', 'sw'],
  externalid: ['eq'],
  'emails.value': ['eq'],
  'groups.value': ['eq'],
}

type People = Pick<
  Store['users'],
  'byId' | 'byUsername' | 'byEmail' | 'byExternalId' | 'search' | 'list' | 'page' | 'count'
>

export interface PeopleStore {
  readonly users: People
  readonly groups: Memberships
}

export async function findPeople(
  { origin: { tenant }, wants }: Pick<ScimCall, 'origin' | 'wants'>,
  query: ScimQuery,
  { users, groups }: PeopleStore,
): Promise<ScimResult<ScimPage>> {
  const { filter: text, startIndex, count } = query
  const shows = wants('groups')
  if (text === null) {
    const rows = count === 0 ? [] : await users.page(tenant, { offset: startIndex - 1, limit: count })
    const found = await scimUsers(rows, { tenant, wanted: shows }, groups)
    return found.kind === 'ok' ? ok({ found: found.value, total: await users.count(tenant) }) : found
  }
  const filter = parseFilter(text)
  if (filter.kind === 'error') return filter
  const fulfils = predicateOf(filter.value, userSchema)
  if (fulfils.kind === 'error') return fulfils
  const questions = candidateQuestions(filter.value, indexes)
  const wanted = shows || mentions(filter.value, 'groups')
  const candidates = {
    rows: questions === null ? everybody(tenant, users) : asked(tenant, questions, users),
    resources: (rows: readonly UserRow[]) => scimUsers(rows, { tenant, wanted }, groups),
    fulfils: fulfils.value,
    advice: 'This filter looks at too many people. Name userName, externalId, emails.value or id by eq.',
  }
  return matching(candidates, query)
}

const everybody = (tenant: TenantId, users: People, group: string | null = null) =>
  pages<UserRow>((last) => users.list(tenant, { after: last?.id ?? null, limit: pageLength, group }))

async function* asked(
  tenant: TenantId,
  questions: readonly IndexQuestion[],
  users: People,
): AsyncGenerator<readonly UserRow[]> {
  for (const question of questions) yield* answers(tenant, question, users)
}

async function* answers(
  tenant: TenantId,
  { attribute, op, value }: IndexQuestion,
  users: People,
): AsyncGenerator<readonly UserRow[]> {
  const one = (row: UserRow | null): readonly UserRow[] => (row === null ? [] : [row])
  if (attribute === 'id') yield one(await users.byId(tenant, value))
  else if (attribute === 'externalid') yield await users.byExternalId(tenant, value, mostExamined + 1)
  else if (attribute === 'emails.value') yield await users.byEmail(tenant, value, mostExamined + 1)
  else if (attribute === 'groups.value') yield* everybody(tenant, users, value)
  else if (op === 'eq') yield one(await users.byUsername(tenant, value))
  else {
    const prefix = normaliseUsername(value)
    if (prefix === null) return
    yield* pages<UserRow>((last) => users.search(tenant, { prefix, after: last?.username ?? null, limit: pageLength }))
  }
}
