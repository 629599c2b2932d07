/** Finds groups by a SCIM filter. Only members that the filter names are looked up, never a whole group. */
import { ok } from '@grantor/protocol/result'
import {
  candidateQuestions,
  groupSchema,
  type Indexes,
  type IndexQuestion,
  membersNamed,
  parseFilter,
  predicateOf,
  scimBounds,
} from '@grantor/protocol/scim'
import type { TenantId } from '@grantor/protocol/types'
import type { GroupRow, GroupSearch, Store } from '@grantor/store'
import { scimGroup, scimGroups } from './group-resource.ts'
import type { ScimCall } from './collection.ts'
import { matching, mostExamined, pageLength, pages } from './matching.ts'
import { type ScimPage, type ScimQuery, type ScimResult, tooMany } from './result.ts'

const indexes: Indexes = { id: ['eq'], displayname: ['eq', 'sw'], externalid: ['eq'], 'members.value': ['eq'] }

type Groups = Pick<
  Store['groups'],
  'byId' | 'byName' | 'byExternalId' | 'search' | 'members' | 'memberships' | 'page' | 'count'
>

export async function findGroups(
  { origin: { tenant }, wants }: Pick<ScimCall, 'origin' | 'wants'>,
  query: ScimQuery,
  groups: Groups,
): Promise<ScimResult<ScimPage>> {
  const { filter: text, startIndex, count } = query
  const wanted = wants('members')
  if (text === null) {
    const rows = count === 0 ? [] : await groups.page(tenant, { offset: startIndex - 1, limit: count })
    const found = await scimGroups(rows, { tenant, wanted }, groups)
    return found.kind === 'ok' ? ok({ found: found.value, total: await groups.count(tenant) }) : found
  }
  const page = await filtered(tenant, { ...query, text }, groups)
  if (page.kind === 'error' || !wanted) return page
  const rows = await Promise.all(page.value.found.map(({ id }) => groups.byId(tenant, id)))
  const found = await scimGroups(
    rows.flatMap((row) => row ?? []),
    { tenant, wanted },
    groups,
  )
  return found.kind === 'ok' ? ok({ ...page.value, found: found.value }) : found
}

/** Groups without their members, except those that the filter names. */
async function filtered(
  tenant: TenantId,
  query: ScimQuery & { readonly text: string },
  groups: Groups,
): Promise<ScimResult<ScimPage>> {
  const filter = parseFilter(query.text)
  if (filter.kind === 'error') return filter
  const fulfils = predicateOf(filter.value, groupSchema)
  if (fulfils.kind === 'error') return fulfils
  const named = membersNamed(filter.value)
  if (named.kind === 'error') return named
  const memberships = await groups.memberships(tenant, [...named.value], scimBounds.memberships + 1)
  if (memberships.length > scimBounds.memberships)
    return tooMany('The members that this filter names are in too many groups.')
  const byGroup = Map.groupBy(memberships, ({ group }) => group)
  const questions = candidateQuestions(filter.value, indexes)
  const candidates = {
    rows: questions === null ? searched(tenant, {}, groups) : asked(tenant, questions, groups),
    resources: async (rows: readonly GroupRow[]) =>
      ok(
        rows.map((row) =>
          scimGroup(
            row,
            byGroup.get(row.id)?.map(({ subject }) => subject),
          ),
        ),
      ),
    fulfils: fulfils.value,
    advice: 'This filter looks at too many groups. Name displayName, externalId, members.value or id by eq.',
  }
  const page = await matching(candidates, query)
  if (page.kind === 'error') return page
  return ok({ ...page.value, found: page.value.found.map(withoutMembers) })
}

/** Removes the members, since those looked up for the filter are not all. */
function withoutMembers<T extends ScimPage['found'][number]>(it: T): T {
  const { members: _members, ...resource } = it.resource
  return { ...it, resource, elsewhere: '' }
}

const searched = (tenant: TenantId, by: Partial<GroupSearch>, groups: Groups) =>
  pages<GroupRow>((after) =>
    groups.search(tenant, { prefix: '', member: null, role: null, externalId: null, ...by, after, limit: pageLength }),
  )

async function* asked(
  tenant: TenantId,
  questions: readonly IndexQuestion[],
  groups: Groups,
): AsyncGenerator<readonly GroupRow[]> {
  const one = (row: GroupRow | null): readonly GroupRow[] => (row === null ? [] : [row])
  for (const { attribute, op, value } of questions) {
    if (attribute === 'id') yield one(await groups.byId(tenant, value))
    else if (attribute === 'externalid') yield await groups.byExternalId(tenant, value, mostExamined + 1)
    else if (attribute === 'members.value') yield* searched(tenant, { member: value }, groups)
    else if (op === 'eq') yield one(await groups.byName(tenant, value))
    else yield* searched(tenant, { prefix: value }, groups)
  }
}
