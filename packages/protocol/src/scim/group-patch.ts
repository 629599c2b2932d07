/** PATCH of a group: changes of members are kept separate from other changes, so that no group is read as a whole. */
import { ok, type Result } from '../result.ts'
import { badRequest, type ScimError } from './error.ts'
import type { Filter } from './filter.ts'
import { memberIds } from './group.ts'
import type { AttributeChange } from './patch-value.ts'
import { readValue } from './value.ts'

/** First replaces all members, if not null; then removes members, then adds members. */
export interface MemberChange {
  readonly instead: readonly string[] | null
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

export interface GroupPatch {
  /** The changes of all other attributes. */
  readonly others: readonly AttributeChange[]
  /** Null where the request does not mention members. */
  readonly members: MemberChange | null
}

class Members {
  #instead: Set<string> | null = null
  readonly #added = new Set<string>()
  readonly #removed = new Set<string>()

  replace(ids: readonly string[]): void {
    this.#instead = new Set(ids)
    this.#added.clear()
    this.#removed.clear()
  }

  add(ids: readonly string[]): void {
    for (const id of ids) {
      this.#removed.delete(id)
      if (this.#instead === null) this.#added.add(id)
      else this.#instead.add(id)
    }
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) {
      this.#added.delete(id)
      if (this.#instead === null) this.#removed.add(id)
      else this.#instead.delete(id)
    }
  }

  change(): MemberChange {
    const instead = this.#instead && [...this.#instead]
    return { instead, removed: [...this.#removed], added: [...this.#added] }
  }
}

export function groupPatch(changes: readonly AttributeChange[]): Result<GroupPatch, ScimError> {
  const members = new Members()
  const others: AttributeChange[] = []
  for (const change of changes) {
    if (change.attribute.name !== 'members') {
      others.push(change)
      continue
    }
    const done = changeMembers(change, members)
    if (done.kind === 'error') return done
  }
  return ok({ others, members: others.length === changes.length ? null : members.change() })
}

function changeMembers(change: AttributeChange, members: Members): Result<null, ScimError> {
  const { op, where, sub, value, attribute } = change
  if (sub !== null) return badRequest('mutability', 'A member is added and removed, not changed.')
  if (where !== null) {
    const chosen = op === 'remove' ? chosenIds(where) : null
    if (chosen === null)
      return badRequest('invalidPath', 'Members are chosen by value eq, and only to be removed; add them by value.')
    members.remove(chosen)
    return ok(null)
  }
  if (op === 'remove' && (value === undefined || value === null)) {
    members.replace([])
    return ok(null)
  }
  const read = readValue(attribute, value ?? null)
  if (read.kind === 'error') return read
  const ids = memberIds(read.value)
  if (ids.kind === 'error') return ids
  members[op](ids.value)
  return ok(null)
}

/** The ids in `value eq "a"`, or in several of these joined by `or`; null for anything else. */
function chosenIds(where: Filter): readonly string[] | null {
  if (where.kind === 'or') {
    const each = where.terms.map(chosenIds)
    return each.some((ids) => ids === null) ? null : each.flatMap((ids) => ids ?? [])
  }
  if (where.kind !== 'compare' || where.op !== 'eq' || typeof where.value !== 'string') return null
  return where.path.attribute.toLowerCase() === 'value' && where.path.sub === null ? [where.value] : null
}
