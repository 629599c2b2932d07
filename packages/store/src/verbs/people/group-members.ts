/** Who comes into a group and who leaves it, many in one statement: a group may have more members than one could name. */
import type { TenantId } from '@grantor/protocol/types'
import type { Unknown } from '../../contract/people/groups.ts'
import { text } from '../row.ts'
import { all, run, type Statement, type Value, type Verb } from '../verb.ts'

interface OfGroup {
  readonly tenant: TenantId
  readonly id: string
}

/** Two sizes of statement, so that each is prepared once; the rest of a part is filled up with its last member. */
const sizes = [1, 100] as const
type Size = (typeof sizes)[number]

const ids = (size: Size): string => Array.from({ length: size }, (_, at) => `?${at + 3}`).join(', ')
const texts = (of: (size: Size) => string): Readonly<Record<Size, string>> => ({ 1: of(1), 100: of(100) })

const present = texts((size) => `select id from users where tenant = ?1 and ?2 <> '' and id in (${ids(size)})`)
const adding = texts(
  (size) => `insert into group_members (tenant, group_id, subject)
    select tenant, ?2, id from users where tenant = ?1 and id in (${ids(size)}) on conflict do nothing`,
)
const removing = texts(
  (size) => `delete from group_members where tenant = ?1 and group_id = ?2 and subject in (${ids(size)})`,
)

const statement = (text: string, { tenant, id }: OfGroup, part: readonly string[]): Statement => {
  const values: Value[] = [tenant, id, ...part]
  return { do: 'sql', text, values }
}

function* parts(members: readonly string[]): Generator<{ readonly size: Size; readonly part: readonly string[] }> {
  for (let at = 0; at < members.length; at += 100) {
    const part = members.slice(at, at + 100)
    const lastOne = part.at(-1) ?? ''
    if (part.length === 1) yield { size: 1, part }
    else yield { size: 100, part: [...part, ...Array.from({ length: 100 - part.length }, () => lastOne)] }
  }
}

/** Whoever is in it already stays; somebody who is not there at all is named, and the caller undoes what was done. */
export function* addMembers(of: OfGroup, members: readonly string[]): Verb<Unknown | null> {
  for (const { size, part } of parts(members)) {
    const found = new Set((yield* all(statement(present[size], of, part))).map((row) => text(row, 'id')))
    const nobody = part.find((id) => !found.has(id))
    if (nobody !== undefined) return { unknown: 'member', id: nobody }
    yield* run(statement(adding[size], of, part))
  }
  return null
}

export function* removeMembers(of: OfGroup, members: readonly string[]): Verb<void> {
  for (const { size, part } of parts(members)) yield* run(statement(removing[size], of, part))
}
