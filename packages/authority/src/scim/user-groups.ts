/** People with their groups, read for all of them at once. */
import { ok } from '@grantor/protocol/result'
import { scimBounds } from '@grantor/protocol/scim'
import type { TenantId } from '@grantor/protocol/types'
import type { Membership, Store, UserRow } from '@grantor/store'
import { type ScimResource, type ScimResult, tooMany } from './result.ts'
import { scimUser } from './user-resource.ts'

export type Memberships = Pick<Store['groups'], 'memberships'>

/** `wanted`: whether the groups are shown or used by the filter. */
export async function scimUsers(
  rows: readonly UserRow[],
  of: { readonly tenant: TenantId; readonly wanted: boolean },
  groups: Memberships,
): Promise<ScimResult<readonly ScimResource[]>> {
  if (!of.wanted || rows.length === 0) return ok(rows.map((row) => scimUser(row)))
  const ids = rows.map(({ id }) => id)
  const found = await groups.memberships(of.tenant, ids, scimBounds.memberships + 1)
  if (found.length > scimBounds.memberships)
    return tooMany(
      'These people are in too many groups to show them. Ask with excludedAttributes=groups, or for fewer.',
    )
  const bySubject = Map.groupBy(found, ({ subject }: Membership) => subject)
  return ok(rows.map((row) => scimUser(row, bySubject.get(row.id))))
}
