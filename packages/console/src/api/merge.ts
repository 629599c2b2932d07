/** Two people changed the same thing: what can be put together is, and what cannot is asked about, field by field. */

export type Fields = Readonly<Record<string, unknown>>

export interface Conflict {
  readonly field: string
  readonly mine: unknown
  readonly theirs: unknown
}

export interface Merge<T> {
  /** Theirs, with every change of mine that they did not touch. */
  readonly merged: T
  readonly conflicts: readonly Conflict[]
}

/** `base` is what both began with. */
export function mergeChanges<T extends object>(base: T, mine: T, theirs: T): Merge<T> {
  const merged: Record<string, unknown> = { ...(theirs as Fields) }
  const conflicts: Conflict[] = []
  for (const field of new Set([...Object.keys(base), ...Object.keys(mine)])) {
    const [was, my, their] = [base, mine, theirs].map((it) => (it as Fields)[field])
    if (isEqual(my, was) || isEqual(my, their)) continue
    if (isEqual(their, was)) merged[field] = my
    else conflicts.push({ field, mine: my, theirs: their })
  }
  return { merged: merged as T, conflicts }
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
