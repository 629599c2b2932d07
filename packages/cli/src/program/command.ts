/** What a command is, as data: its words, its options, and what it does. frame.ts makes a command line of them. */
import type { TenantId } from '@grantor/protocol/types'
import type { Ending } from './exit.ts'
import type { Output } from '../output/output.ts'
import type { World } from './environment.ts'

export interface Verb {
  readonly name: string
  /** One sentence without a full stop, for `--help`. */
  readonly says: string
  readonly args?: readonly Arg[]
  readonly options?: readonly Opt[]
  /** It acts within one tenant: `--tenant`. */
  readonly tenant?: true
  /** Its settings flags are its own business: `--help` lists them instead of pointing at `start`. */
  readonly listsSettings?: true
  run(call: Call): Promise<Ending>
}

export interface Group {
  readonly name: string
  readonly says: string
  readonly verbs: readonly Verb[]
  /** What the name of the group does by itself; without it, a verb must follow. */
  readonly alone?: Verb
}

export interface Arg {
  /** `<id>` is required, `[id]` is not. */
  readonly form: string
  readonly says: string
}

export interface Opt {
  readonly flag: string
  readonly says: string
  readonly takes?: 'text' | 'list' | 'count'
  readonly placeholder?: string
}

export type OptionValue = string | number | boolean | readonly string[]

/** One call: what was asked, and where answers go. */
export interface Call {
  readonly world: World
  readonly out: Output
  /** Only for verbs with `tenant: true` is this more than the default. */
  readonly tenant: TenantId
  readonly args: readonly string[]
  /** Settings given as flags, by the key of the setting. */
  readonly flags: Readonly<Record<string, string | boolean>>
  readonly options: ReadonlyMap<string, OptionValue>
}

export const arg = (call: Call, at: number): string => call.args[at] ?? ''

export const isSet = (call: Call, flag: string): boolean => call.options.get(flag) === true

export function textOf(call: Call, flag: string): string | undefined {
  const value = call.options.get(flag)
  return typeof value === 'string' ? value : undefined
}

export function countOf(call: Call, flag: string): number | undefined {
  const value = call.options.get(flag)
  return typeof value === 'number' ? value : undefined
}

export function listOf(call: Call, flag: string): readonly string[] | undefined {
  const value = call.options.get(flag)
  return Array.isArray(value) ? (value as readonly string[]) : undefined
}
