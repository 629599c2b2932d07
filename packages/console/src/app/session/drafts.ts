/** What was typed into open forms: kept over a sign-in that leads away from the page, for the same person, once. */

const open = new Map<string, unknown>()
let restored = new Map<string, unknown>()

/** Called with every change of a form. Fields that hold secrets are left out by whoever calls. */
export const keepDraft = (form: string, values: unknown): void => void open.set(form, values)

export function dropDraft(form: string): void {
  open.delete(form)
  restored.delete(form)
}

/** What a form begins with instead of what it would; undefined where nothing was kept. */
export const restoredDraft = (form: string): unknown => restored.get(form)

export const draftsToKeep = (): Readonly<Record<string, unknown>> => Object.fromEntries(open)

/** After the way back. */
export function restoreDrafts(drafts: Readonly<Record<string, unknown>>): void {
  restored = new Map(Object.entries(drafts))
}
