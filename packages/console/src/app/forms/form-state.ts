/** What a form holds: how it began, what is typed, and what of both outlives the page. */
import { isEqual } from '../../api/merge.ts'
import type { Draft } from '../session/drafts.ts'

export interface FormState<T> {
  readonly base: T
  /** The version of the thing that `base` is of; null where it has none, or is new. */
  readonly version: string | null
  readonly values: T
  readonly faults: ReadonlyMap<string, string>
  readonly busy: boolean
  readonly restored: boolean
  readonly lacksSecrets: boolean
  /** How often it was refused. */
  readonly refusals: number
}

export interface NextBase<T> {
  readonly base: T
  readonly version?: string | null
  /** What is typed into it; else nothing. */
  readonly values?: T
  /** What was sent: fields that are others by now were typed since, and stay. */
  readonly sent?: T
}

export function begun<T extends object>(initial: T, version: string | null, draft?: Draft<T>): FormState<T> {
  const calm = { faults: new Map(), busy: false, refusals: 0 }
  if (draft === undefined)
    return { base: initial, version, values: initial, restored: false, lacksSecrets: false, ...calm }
  return {
    base: { ...initial, ...draft.base },
    version: draft.version,
    values: { ...initial, ...draft.values },
    restored: true,
    lacksSecrets: draft.lacksSecrets,
    ...calm,
  }
}

export function begunAgain<T extends object>(before: FormState<T>, next: NextBase<T>): FormState<T> {
  const { base, version = before.version, values = base, sent = before.values } = next
  const since = Object.entries(before.values).filter(([name, value]) => !isEqual(value, sent[name as keyof T]))
  const typed = { ...values, ...Object.fromEntries(since) }
  const restored = before.restored && !isEqual(base, typed)
  const { busy, refusals, lacksSecrets } = before
  return { base, version, values: typed, restored, lacksSecrets, faults: new Map(), busy, refusals }
}

/** Null where there is nothing to keep. Secrets are never kept. */
export function draftOf<T extends object>(
  { base, version, values }: Pick<FormState<T>, 'base' | 'version' | 'values'>,
  secrets: readonly string[],
): Draft<T> | null {
  if (isEqual(base, values)) return null
  const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !secrets.includes(name)))
  const lacksSecrets = secrets.some((name) => !isEqual(values[name as keyof T], base[name as keyof T]))
  return { base, version, values: kept as Partial<T>, lacksSecrets }
}
