/** A store of trusted certificate authorities: the system's, or a browser's own. */
import type { LocalAuthority } from './local-authority.ts'
import type { CommandWords } from './machine.ts'

export const storeKinds = ['system', 'browsers'] as const
export type StoreKind = (typeof storeKinds)[number]

/** An authority of ours in a store; `name` is its name in that store. */
export interface HeldAuthority {
  readonly name: string
}

export interface TrustStore {
  readonly kind: StoreKind
  readonly title: string
  readonly place: string
  /** Whether changing the store needs root. */
  readonly needsRoot: boolean
  holds(authority: LocalAuthority): Promise<boolean>
  /** The commands that add the authority. */
  add(authority: LocalAuthority): readonly CommandWords[]
  /** The commands that remove the authority. */
  remove(authority: LocalAuthority): readonly CommandWords[]
  /** Our authorities in the store, from whichever data folder; null if the store cannot list them. */
  ours: (() => Promise<readonly HeldAuthority[]>) | null
  removeHeld(held: HeldAuthority): readonly CommandWords[]
}

/** A store that cannot be used, and what to do about it. */
export interface MissingStore {
  readonly kind: StoreKind
  readonly title: string
  readonly missing: string
  readonly fix: string
}
