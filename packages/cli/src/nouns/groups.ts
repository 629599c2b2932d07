/** Adds the verbs of the admin API to the groups of commands; a command that exists can then also call a server. */
import type { Command, CommandGroup } from '../program/command.ts'
import { nouns } from './nouns.ts'
import { commandsOf } from './verbs.ts'

/** A group in the list of commands; its description may come from a noun instead. */
export type PartialGroup = Pick<CommandGroup, 'name' | 'commands'> & Partial<Pick<CommandGroup, 'description'>>

export function withNounVerbs(groups: readonly PartialGroup[]): readonly CommandGroup[] {
  const known = new Set(groups.map(({ name }) => name))
  const others = nouns.filter(({ name }) => !known.has(name))
  const all = [...groups, ...others.map(({ name }): PartialGroup => ({ name, commands: [] }))]
  return all.map(({ name, description, commands }) => {
    const noun = nouns.find((it) => it.name === name)
    const verbs = noun === undefined ? [] : commandsOf(noun)
    const own = commands.map((command) => {
      const verb = verbs.find((it) => it.name === command.name)
      return verb === undefined ? command : bothWays(command, verb)
    })
    const more = verbs.filter((verb) => !commands.some((command) => command.name === verb.name))
    return { name, description: description ?? noun?.description ?? name, commands: [...own, ...more] }
  })
}

/** Runs the local command on the database, or the remote one if an option is given that only that one has (--at). */
function bothWays(local: Command, remote: Command): Command {
  const flags = new Set((local.options ?? []).map(({ flag }) => flag))
  const added = (remote.options ?? []).filter(({ flag }) => !flags.has(flag))
  return {
    ...local,
    options: [...(local.options ?? []), ...added],
    run: (context) => (added.some(({ flag }) => context.options.has(flag)) ? remote : local).run(context),
  }
}
