/** A place that says which authorities are trusted: the system's, or a browser's own. */
import type { LocalAuthority } from './local-authority.ts'
import type { CommandWords } from './machine.ts'

export const storeKinds = ['system', 'browsers'] as const
export type StoreKind = (typeof storeKinds)[number]

/** An authority of ours that a store holds; `name` is what the store knows it by. */
export interface HeldAuthority {
  readonly name: string
}

export interface TrustStore {
  readonly kind: StoreKind
  readonly title: string
  readonly place: string
  /** Changing it takes the rights of root. */
  readonly needsRoot: boolean
  holds(authority: LocalAuthority): Promise<boolean>
  /** The commands that put it there. */
  add(authority: LocalAuthority): readonly CommandWords[]
  /** The commands that take it out. */
  remove(authority: LocalAuthority): readonly CommandWords[]
  /** Those of ours that it holds, whichever data folder they are from; null where the store cannot tell. */
  ours: (() => Promise<readonly HeldAuthority[]>) | null
  removeHeld(held: HeldAuthority): readonly CommandWords[]
}

/** A store that cannot be reached, and what to do about it. */
export interface MissingStore {
  readonly kind: StoreKind
  readonly title: string
  readonly missing: string
  readonly fix: string
}
