/** What was typed into open forms: kept over a sign-in that leads away from the page, for the same person, once. */

export interface Draft<T> {
  /** What the form began with, and the version that it is of. */
  readonly base: Partial<T>
  readonly version: string | null
  readonly values: Partial<T>
  /** Something was typed that is kept nowhere. */
  readonly lacksSecrets: boolean
}

export type Drafts = Readonly<Record<string, Draft<object>>>

const open = new Map<string, Draft<object>>()
let restored = new Map<string, Draft<object>>()

/** Called with every change of a form. */
export const keepDraft = <T extends object>(form: string, draft: Draft<T>): void => void open.set(form, draft)

export function dropDraft(form: string): void {
  open.delete(form)
  restored.delete(form)
}

/** After a sign-in: what a form begins with instead of what it would; undefined where nothing was kept. */
export const restoredDraft = <T extends object>(form: string): Draft<T> | undefined => restored.get(form)

/** Also what was typed since into a form that is not shown just now. */
export const latestDraft = <T extends object>(form: string): Draft<T> | undefined =>
  open.get(form) ?? restored.get(form)

/** Those too that were restored, and whose forms were not opened since. */
export const draftsToKeep = (): Drafts => Object.fromEntries([...restored, ...open])

/** After the way back. */
export function restoreDrafts(drafts: Drafts): void {
  restored = new Map(Object.entries(drafts))
}
