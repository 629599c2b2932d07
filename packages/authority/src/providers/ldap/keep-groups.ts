/** Puts a person into our groups according to the directory; groups to which nothing there is mapped stay unchanged. */
import { groupKey, type Person } from '@grantor/protocol/people'
import type { StoredProvider } from '@grantor/protocol/providers'
import type { GroupRow, Store } from '@grantor/store'
import { type EventDependencies, newEvent } from '../../events.ts'
import type { Visitor } from '../../interact/visitor.ts'
import type { LdapPerson } from './ldap-answer.ts'

export interface GroupKeepingDependencies extends EventDependencies {
  readonly store: Pick<Store, 'groups'>
}

interface SignedInPerson {
  readonly person: Person
  readonly answer: LdapPerson
  readonly provider: StoredProvider
}

/** RFC 4514: names are compared without regard to case and to spaces around commas. */
const dnKey = (dn: string): string => dn.replaceAll(/\s*,\s*/g, ',').toLowerCase()

/** Groups read in one page. */
const batchSize = 100

export async function keepGroups(
  { person, answer, provider }: SignedInPerson,
  visitor: Visitor,
  deps: GroupKeepingDependencies,
): Promise<void> {
  const mapped = Object.entries(provider.groups ?? {})
  if (mapped.length === 0) return
  const { tenant, id: subject } = person
  const there = new Set(answer.groups.map(dnKey))
  // Two groups of the directory may map to one of ours, in different spellings.
  const wanted = new Set(mapped.filter(([dn]) => there.has(dnKey(dn))).map(([, name]) => groupKey(name)))
  const held = await groupsOf(person, deps)
  for (const [key, name] of new Map(mapped.map(([, ours]) => [groupKey(ours), ours]))) {
    const group = await deps.store.groups.byName(tenant, name)
    // A group that does not exist has no members.
    if (group === null || held.has(group.id) === wanted.has(key)) continue
    const isNew = wanted.has(key)
    const data = {
      group: group.id,
      name,
      provider: provider.id,
      ...(isNew ? { added: subject } : { removed_members: subject }),
    }
    const actor = { kind: 'system' as const, id: null }
    const events = [newEvent(deps, visitor, 'admin.group_changed', { actor, subject, data })]
    const members = isNew ? { addMembers: [subject] } : { removeMembers: [subject] }
    await deps.store.groups.change({ tenant, id: group.id, version: null, ...members, at: deps.clock.now(), events })
  }
}

async function groupsOf({ tenant, id: member }: Person, { store }: GroupKeepingDependencies): Promise<Set<string>> {
  const held = new Set<string>()
  for (let after: GroupRow | null = null; ;) {
    const search = { prefix: '', member, role: null, externalId: null, after, limit: batchSize }
    const found: readonly GroupRow[] = await store.groups.search(tenant, search)
    for (const { id } of found) held.add(id)
    if (found.length < batchSize) return held
    after = found.at(-1) ?? null
  }
}
