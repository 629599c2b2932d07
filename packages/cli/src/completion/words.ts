/** The words that may follow each beginning of a command line: the source of completion and docs/cli.md. */
import type { Command, CommandGroup, CommandOption, CommandSection } from '../program/command.ts'

export interface Completed {
  /** The preceding words without `grantor`; empty for the first word. */
  readonly path: readonly string[]
  readonly words: readonly CompletedWord[]
}

export interface CompletedWord {
  readonly word: string
  readonly description: string
}

/** `shared`: the options of every command. */
export function completedWords(
  sections: readonly CommandSection[],
  shared: readonly CommandOption[],
): readonly Completed[] {
  const all = sections.flatMap(({ commands }) => commands)
  return [
    { path: [], words: [...all.map(wordOf), { word: 'help', description: 'print the help of a command' }] },
    ...all.flatMap((it) => ('commands' in it ? ofGroup(it, shared) : [ofCommand([it.name], it, shared)])),
  ]
}

function ofGroup(group: CommandGroup, shared: readonly CommandOption[]): readonly Completed[] {
  const { name, commands, defaultCommand } = group
  const own = defaultCommand === undefined ? [] : ofCommand([name], defaultCommand, shared).words
  return [
    { path: [name], words: [...commands.map(wordOf), ...own] },
    ...commands.map((command) => ofCommand([name, command.name], command, shared)),
  ]
}

const wordOf = ({ name, description }: Command | CommandGroup): CompletedWord => ({ word: name, description })

function ofCommand(path: readonly string[], command: Command, shared: readonly CommandOption[]): Completed {
  const choices = (command.args ?? []).flatMap(({ choices: all = [], description }) =>
    all.map((word) => ({ word, description })),
  )
  const tenant = command.tenant === true ? [{ word: '--tenant', description: 'the tenant it is about' }] : []
  const options = [...(command.options ?? []), ...shared].map(({ flag, description }) => ({ word: flag, description }))
  return { path, words: [...choices, ...options, ...tenant] }
}
