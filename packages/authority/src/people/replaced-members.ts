/** The members who leave a group when its members are replaced, for the log and its readers. */
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'

interface NamedMembers {
  readonly tenant: TenantId
  readonly id: string
  readonly members: readonly string[]
}

export interface ReplacedMembers {
  readonly left: readonly string[]
  /** Whether the members stay the same. */
  readonly same: boolean
}

const pageSize = 1000

export async function replacedMembers(
  { tenant, id, members }: NamedMembers,
  groups: Pick<Store['groups'], 'members'>,
): Promise<ReplacedMembers> {
  const wanted = new Set(members)
  const left: string[] = []
  let held = 0
  for (let after: string | null = null; ;) {
    const page = await groups.members(tenant, id, { after, limit: pageSize })
    held += page.length
    left.push(...page.filter((it) => !wanted.has(it)))
    after = page.at(-1) ?? null
    if (page.length < pageSize) return { left, same: left.length === 0 && held === wanted.size }
  }
}
