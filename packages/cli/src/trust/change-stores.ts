/** Changes every store to the wanted state, and reports the outcome for each. */
import type { LocalAuthority } from './local-authority.ts'
import type { CommandWords, Machine } from './machine.ts'
import type { MissingStore, TrustStore } from './store.ts'

export type StoreState = 'trusted' | 'not trusted' | 'unavailable'

export interface StoreReport {
  readonly kind: TrustStore['kind']
  readonly store: string
  readonly place: string | null
  readonly state: StoreState
  readonly changed: boolean
  /** What a person has to do if the store is not in the wanted state. */
  readonly fix: string | null
}

/** `authority: null`: remove all authorities of Grantor, from whichever data folder. */
export type Wanted =
  | { readonly state: 'trusted' | 'not trusted'; readonly authority: LocalAuthority }
  | { readonly state: 'not trusted'; readonly authority: null }

export interface ChangeContext {
  readonly machine: Machine
  /** Asked before any command is run as root. */
  mayUseSudo(commands: readonly CommandWords[]): Promise<boolean>
}

export const isMissing = (store: TrustStore | MissingStore): store is MissingStore => 'missing' in store

export const missingReport = ({ kind, title, missing, fix }: MissingStore): StoreReport => ({
  kind,
  store: title,
  place: null,
  state: 'unavailable',
  changed: false,
  fix: `${missing}: ${fix}`,
})

export async function reportStore(store: TrustStore, authority: LocalAuthority): Promise<StoreReport> {
  const state = (await store.holds(authority)) ? 'trusted' : 'not trusted'
  return { kind: store.kind, store: store.title, place: store.place, state, changed: false, fix: null }
}

export async function changeStore(
  store: TrustStore,
  wanted: Wanted,
  { machine, mayUseSudo }: ChangeContext,
): Promise<StoreReport> {
  const report = { kind: store.kind, store: store.title, place: store.place }
  const before = await stateOf(store, wanted)
  if (before === null) return { ...report, state: 'unavailable', changed: false, fix: 'remove it by hand' }
  if (before === wanted.state) return { ...report, state: before, changed: false, fix: null }
  const plain = await commandsFor(store, wanted)
  const needsSudo = store.needsRoot && !machine.isRoot
  const commands = needsSudo ? plain.map((words): CommandWords => ['sudo', ...words]) : plain
  const byHand = commands.map(shellLine).join(' && ')
  if (needsSudo && !(await mayUseSudo(commands))) return { ...report, state: before, changed: false, fix: byHand }
  for (const command of commands) if ((await machine.act(command)) !== 0) break
  const state = (await stateOf(store, wanted)) ?? 'unavailable'
  return { ...report, state, changed: state !== before, fix: state === wanted.state ? null : byHand }
}

async function stateOf(store: TrustStore, { authority }: Wanted): Promise<StoreState | null> {
  if (authority !== null) return (await store.holds(authority)) ? 'trusted' : 'not trusted'
  if (store.ours === null) return null
  return (await store.ours()).length > 0 ? 'trusted' : 'not trusted'
}

async function commandsFor(store: TrustStore, { state, authority }: Wanted): Promise<readonly CommandWords[]> {
  if (authority !== null) return state === 'trusted' ? store.add(authority) : store.remove(authority)
  return ((await store.ours?.()) ?? []).flatMap((held) => store.removeHeld(held))
}

/** The command as a shell line that can be pasted. */
export const shellLine = (words: CommandWords): string =>
  words.map((word) => (/^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
