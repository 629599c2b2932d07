/** A command as data: its arguments, its options, and what it does. command-line.ts makes a command line from them. */
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
  /** The command acts within one tenant: it has the option `--tenant`. */
  readonly tenant?: true
  /** `--help` lists the settings as flags instead of referring to `start`. */
  readonly listsSettings?: true
  /** The command opens no deployment and takes no settings. */
  readonly takesNoSettings?: true
  run(context: CommandContext): Promise<ExitResult>
}

export interface CommandGroup {
  readonly name: string
  readonly description: string
  readonly commands: readonly Command[]
  /** What the name of the group alone does; without it, a command of the group has to follow. */
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
  /** The only allowed values. */
  readonly choices?: readonly string[]
  /** For `--help`: what applies if the option is left out. */
  readonly otherwise?: string
}

/** Options of every command. */
export const outputOptions: readonly CommandOption[] = [
  { flag: '--json', description: 'answer in JSON, for scripts' },
  { flag: '--quiet', description: 'print what identifies things, one a line, and no remarks' },
]

/** A setting as a flag: every command takes all of them, because every command may open the database. */
export interface SettingFlag {
  /** The key of the setting for the loader of the settings. */
  readonly key: string
  readonly flag: string
  readonly description: string
  /** The flag takes no value. */
  readonly isSwitch: boolean
}

export type OptionValue = string | number | boolean | readonly string[]

/** One run of a command: its arguments and options, and where its output goes. */
export interface CommandContext {
  readonly environment: Environment
  readonly out: Output
  /** Always the default tenant, except for commands with `tenant: true`. */
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
