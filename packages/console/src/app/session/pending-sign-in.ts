/** What outlives the way to the sign-in page and back: it lies in the storage of this tab, and is taken out once. */

export interface PendingSignIn {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The address inside the console to return to. */
  readonly returnTo: string
  /** Whose drafts these are; null before anybody was signed in. */
  readonly subject: string | null
  readonly drafts: Readonly<Record<string, unknown>>
}

const key = 'grantor-console-sign-in'

export const keepPending = (storage: Storage, pending: PendingSignIn): void =>
  storage.setItem(key, JSON.stringify(pending))

/** Null where none is under way, or where it is another's: a second use of the address finds nothing. */
export function takePending(storage: Storage, state: string | null): PendingSignIn | null {
  const kept = storage.getItem(key)
  storage.removeItem(key)
  if (kept === null) return null
  const pending = JSON.parse(kept) as PendingSignIn
  return pending.state === state ? pending : null
}
