/** What outlives the way to the sign-in page and back: it lies in the storage of this tab, and is taken out once. */

import type { Drafts } from './drafts.ts'

/** Where a sign-in is to lead, and what is to be there again. */
export interface WayBack {
  /** The address inside the console to return to. */
  readonly returnTo: string
  /** Whose drafts these are; null before anybody was signed in. */
  readonly subject: string | null
  readonly drafts: Drafts
}

export interface PendingSignIn extends WayBack {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
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
