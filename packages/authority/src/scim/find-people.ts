/** Finds people by a SCIM filter: through an index where one narrows it, else within a bound; never all of a large tenant. */
import { normaliseUsername } from '@grantor/protocol/people'
import { err, ok } from '@grantor/protocol/result'
import {
  candidateQuestions,
  type Filter,
  type Indexes,
  type IndexQuestion,
  parseFilter,
  type Predicate,
  predicateOf,
  userSchema,
} from '@grantor/protocol/scim'
import type { TenantId } from '@grantor/protocol/types'
import type { Store, UserRow } from '@grantor/store'
import { type ScimPage, type ScimQuery, type ScimResource, type ScimResult, tooMany } from './result.ts'
import { scimUser } from './user-resource.ts'

/** People who are looked at for one filter. */
export const mostExamined = 5000
const pageLength = 500

/** `emails.value`: the address that counts, which is a claim; the others of a person are not indexed. */
const indexes: Indexes = { id: ['eq'], username: ['eq', 'sw'], externalid: ['eq'], 'emails.value': ['eq'] }

type People = Pick<
  Store['users'],
  'byId' | 'byUsername' | 'byEmail' | 'byExternalId' | 'search' | 'list' | 'page' | 'count'
>

export async function findPeople(tenant: TenantId, query: ScimQuery, users: People): Promise<ScimResult<ScimPage>> {
  const { filter: text, startIndex, count } = query
  if (text === null) {
    const rows = count === 0 ? [] : await users.page(tenant, { offset: startIndex - 1, limit: count })
    return ok({ found: rows.map(scimUser), total: await users.count(tenant) })
  }
  const filter = parseFilter(text)
  if (filter.kind === 'error') return filter
  const fulfils = predicateOf(filter.value, userSchema)
  if (fulfils.kind === 'error') return fulfils
  const found = await matching(tenant, { filter: filter.value, fulfils: fulfils.value }, users)
  if (found.kind === 'error') return err(found.error)
  return ok({ found: found.value.slice(startIndex - 1, startIndex - 1 + count), total: found.value.length })
}

interface Wanted {
  readonly filter: Filter
  readonly fulfils: Predicate
}

/** By their ids, whichever way they were found. */
async function matching(
  tenant: TenantId,
  { filter, fulfils }: Wanted,
  users: People,
): Promise<ScimResult<readonly ScimResource[]>> {
  const questions = candidateQuestions(filter, indexes)
  const found = new Map<string, ScimResource>()
  let examined = 0
  for await (const rows of questions === null ? everybody(tenant, users) : asked(tenant, questions, users)) {
    examined += rows.length
    if (examined > mostExamined)
      return tooMany('This filter looks at too many people. Name userName, externalId, emails.value or id by eq.')
    for (const row of rows) {
      const user = scimUser(row)
      if (fulfils(user.resource)) found.set(user.id, user)
    }
  }
  return ok([...found.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)))
}

async function* everybody(tenant: TenantId, users: People): AsyncGenerator<readonly UserRow[]> {
  for (let after: string | null = null; ;) {
    const rows: readonly UserRow[] = await users.list(tenant, { after, limit: pageLength })
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageLength) return
    after = last.id
  }
}

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
  else if (op === 'eq') yield one(await users.byUsername(tenant, value))
  else {
    const prefix = normaliseUsername(value)
    if (prefix === null) return
    for (let after: string | null = null; ;) {
      const rows: readonly UserRow[] = await users.search(tenant, { prefix, after, limit: pageLength })
      yield rows
      const last = rows.at(-1)
      if (last === undefined || rows.length < pageLength) return
      after = last.username
    }
  }
}
