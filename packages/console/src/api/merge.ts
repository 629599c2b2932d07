/** Two people changed the same thing: what can be put together is, and what cannot is asked about, field by field. */

export type Fields = Readonly<Record<string, unknown>>

export interface Conflict {
  /** The field, or a member of one that has members: `description.en`. */
  readonly field: string
  readonly mine: unknown
  readonly theirs: unknown
}

export interface Merge<T> {
  /** Theirs, with every change of mine that they did not touch. */
  readonly merged: T
  readonly conflicts: readonly Conflict[]
}

/** `base` is what both began with. Of a field that has members, each is held against its own. */
export function mergeChanges<T extends object>(base: T, mine: T, theirs: T): Merge<T> {
  const merged: Record<string, unknown> = { ...(theirs as Fields) }
  const conflicts: Conflict[] = []
  for (const field of new Set([...Object.keys(base), ...Object.keys(mine)])) {
    const [was, my, their] = [base, mine, theirs].map((it) => (it as Fields)[field])
    if (isEqual(my, was) || isEqual(my, their)) continue
    if (isEqual(their, was)) merged[field] = my
    else if (hasMembers(was) && hasMembers(my) && hasMembers(their)) {
      const inner = mergeChanges(was, my, their)
      merged[field] = inner.merged
      conflicts.push(...inner.conflicts.map((it) => ({ ...it, field: `${field}.${it.field}` })))
    } else conflicts.push({ field, mine: my, theirs: their })
  }
  return { merged: merged as T, conflicts }
}

const hasMembers = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same with mine in the fields that are named. */
export const withMine = <T extends object>(merged: T, conflicts: readonly Conflict[], mine: ReadonlySet<string>): T =>
  conflicts.reduce<T>((all, it) => (mine.has(it.field) ? put(all, it.field.split('.'), it.mine) : all), merged)

function put<T extends object>(all: T, [first = '', ...rest]: readonly string[], value: unknown): T {
  const inner = (all as Fields)[first]
  return { ...all, [first]: rest.length === 0 || !hasMembers(inner) ? value : put(inner, rest, value) }
}

/** As JSON, whatever the order of members. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual((one as Fields)[name], (other as Fields)[name]))
  )
}
