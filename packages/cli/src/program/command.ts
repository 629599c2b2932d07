/** What a command is, as data: its arguments, its options, and what it does. command-line.ts makes a command line of them. */
import type { TenantId } from '@grantor/protocol/types'
import type { Output } from '../output/output.ts'
import type { Environment } from './environment.ts'
import type { ExitResult } from './exit.ts'

export interface Command {
  readonly name: string
  /** One sentence without a full stop, for `--help`. */
  readonly description: string
  readonly args?: readonly Argument[]
  readonly options?: readonly CommandOption[]
  /** It acts within one tenant: `--tenant`. */
  readonly tenant?: true
  /** Its settings flags are its own business: `--help` lists them instead of pointing at `start`. */
  readonly listsSettings?: true
  /** It opens no deployment and takes none of its settings. */
  readonly takesNoSettings?: true
  run(context: CommandContext): Promise<ExitResult>
}

export interface CommandGroup {
  readonly name: string
  readonly description: string
  readonly commands: readonly Command[]
  /** What the name of the group does by itself; without it, one of its commands must follow. */
  readonly defaultCommand?: Command
}

export interface Argument {
  /** `<id>` is required, `[id]` is not. */
  readonly form: string
  readonly description: string
  readonly choices?: readonly string[]
}

/** Commands under one heading of `grantor --help`. */
export interface CommandSection {
  readonly heading: string
  readonly commands: readonly (Command | CommandGroup)[]
}

export interface CommandOption {
  readonly flag: string
  readonly description: string
  readonly takes?: 'text' | 'list' | 'count'
  readonly placeholder?: string
  /** The only values there are. */
  readonly choices?: readonly string[]
  /** What holds where it is left out, for `--help`. */
  readonly otherwise?: string
}

/** What every command takes. */
export const outputOptions: readonly CommandOption[] = [
  { flag: '--json', description: 'answer in JSON, for scripts' },
  { flag: '--quiet', description: 'print what identifies things, one a line, and no remarks' },
]

/** A setting as a flag: every command takes all of them, because every command may open the database. */
export interface SettingFlag {
  /** Under which the loader of the settings looks for it. */
  readonly key: string
  readonly flag: string
  readonly description: string
  /** It takes no value. */
  readonly isSwitch: boolean
}

export type OptionValue = string | number | boolean | readonly string[]

/** One run of a command: what was asked, and where answers go. */
export interface CommandContext {
  readonly environment: Environment
  readonly out: Output
  /** Only for commands with `tenant: true` is this more than the default. */
  readonly tenant: TenantId
  readonly args: readonly string[]
  /** Settings given as flags, by the key of the setting. */
  readonly settingFlags: Readonly<Record<string, string | boolean>>
  readonly options: ReadonlyMap<string, OptionValue>
}

export const argument = (context: CommandContext, at: number): string => context.args[at] ?? ''

export const hasFlag = (context: CommandContext, flag: string): boolean => context.options.get(flag) === true

export function textOption(context: CommandContext, flag: string): string | undefined {
  const value = context.options.get(flag)
  return typeof value === 'string' ? value : undefined
}

export function listOption(context: CommandContext, flag: string): readonly string[] | undefined {
  const value = context.options.get(flag)
  return typeof value === 'object' ? value : undefined
}

export function countOption(context: CommandContext, flag: string): number | undefined {
  const value = context.options.get(flag)
  return typeof value === 'number' ? value : undefined
}
