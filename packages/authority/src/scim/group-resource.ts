/** A group as a SCIM resource (RFC 7643 §4.2), with its members where they are wanted. */
import { ok } from '@grantor/protocol/result'
import { groupUrn, scimBounds } from '@grantor/protocol/scim'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { GroupRow, Store } from '@grantor/store'
import { type ScimResource, type ScimResult, tooMany } from './result.ts'
import { digestOf, versionTag } from './version-tag.ts'

export const writableGroup = ({ name, externalId }: Pick<GroupRow, 'name' | 'externalId'>): JsonObject => ({
  ...(externalId === null ? {} : { externalId }),
  displayName: name,
})

export function scimGroup(row: GroupRow, members: readonly string[] = []): ScimResource {
  const { id, version, createdAt, changedAt } = row
  const elsewhere = digestOf(members)
  const meta = {
    resourceType: 'Group',
    created: new Date(createdAt).toISOString(),
    lastModified: new Date(changedAt).toISOString(),
    version: versionTag({ version, elsewhere }),
  }
  const listed = members.length === 0 ? {} : { members: members.map((value) => ({ value, type: 'User' })) }
  return { id, version, elsewhere, resource: { schemas: [groupUrn], id, ...writableGroup(row), ...listed, meta } }
}

/** With all members, or refused: a partial list would be taken for a complete one. */
export async function scimGroups(
  rows: readonly GroupRow[],
  of: { readonly tenant: TenantId; readonly wanted: boolean },
  groups: Pick<Store['groups'], 'members'>,
): Promise<ScimResult<readonly ScimResource[]>> {
  const shown: ScimResource[] = []
  let remaining = scimBounds.memberships
  for (const row of rows) {
    const members = of.wanted ? await groups.members(of.tenant, row.id, { after: null, limit: remaining + 1 }) : []
    remaining -= members.length
    if (remaining < 0)
      return tooMany(
        `This would show more than ${scimBounds.memberships} members. Ask with excludedAttributes=members.`,
      )
    shown.push(scimGroup(row, members))
  }
  return ok(shown)
}
