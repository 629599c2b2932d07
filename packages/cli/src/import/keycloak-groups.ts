/** Groups of a Keycloak export, named by their paths, because groups here are not nested. */
import { groupNameProblem } from '@grantor/protocol/people'
import { isKeycloaksOwn, rolesIn } from './keycloak-own.ts'
import { type ImportedGroup, isRecord, type LeftOut, records, text } from './source.ts'

type Row = Readonly<Record<string, unknown>>

export function readKeycloakGroups(realm: Row): {
  readonly groups: readonly ImportedGroup[]
  readonly leftOut: readonly LeftOut[]
} {
  const groups: ImportedGroup[] = []
  const leftOut: LeftOut[] = []
  let described = 0
  // In Keycloak a member of a group also has the roles of its parent groups.
  const read = (row: Row, above: ImportedGroup): void => {
    const name = `${above.name}/${text(row['name']) ?? ''}`
    const roles = [...new Set([...above.roles, ...rolesIn(row).filter((role) => !isKeycloaksOwn(role))])]
    const problem = groupNameProblem(name)
    if (problem === null) groups.push({ name, roles })
    else leftOut.push({ what: `group ${name}`, why: `its name ${problem}` })
    if (isRecord(row['attributes']) && Object.keys(row['attributes']).length > 0) described += 1
    for (const child of records(row['subGroups'])) read(child, { name, roles })
  }
  for (const row of records(realm['groups'])) read(row, { name: '', roles: [] })
  if (described > 0)
    leftOut.push({ what: `attributes of ${described} groups`, why: 'a group has none here: give them to its people' })
  const first = Array.isArray(realm['defaultGroups']) ? realm['defaultGroups'].length : 0
  if (first > 0)
    leftOut.push({ what: `${first} default groups`, why: 'new people are in none; an invitation may name groups' })
  return { groups, leftOut }
}
