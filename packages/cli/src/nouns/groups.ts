/** Puts the verbs of the admin API into the groups of commands: a command that is there already goes on as it is, and to a server by the API. */
import type { Command, CommandGroup } from '../program/command.ts'
import { nouns } from './nouns.ts'
import { commandsOf } from './verbs.ts'

/** A group as the list of commands has it; a noun brings its own description. */
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

/** On the database of the settings as ever; by the API where something is asked for that only it has, a server above all. */
function bothWays(local: Command, remote: Command): Command {
  const flags = new Set((local.options ?? []).map(({ flag }) => flag))
  const added = (remote.options ?? []).filter(({ flag }) => !flags.has(flag))
  return {
    ...local,
    options: [...(local.options ?? []), ...added],
    run: (context) => (added.some(({ flag }) => context.options.has(flag)) ? remote : local).run(context),
  }
}
