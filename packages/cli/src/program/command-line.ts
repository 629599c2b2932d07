/** Makes a command line of the list of verbs: flags, help, usage errors; the verbs themselves know nothing of it. */
import type { TenantId } from '@grantor/protocol/types'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { type Ending, exitCodes, failure, type Failure } from './exit.ts'
import { outputTo } from '../output/output.ts'
import type { Arg, Call, Group, Opt, OptionValue, Verb } from './command.ts'
import type { World } from './environment.ts'

/** A setting as a flag: every command takes all of them, because every command may open the database. */
export interface SettingFlag {
  /** Under which the loader of the settings looks for it. */
  readonly key: string
  readonly flag: string
  readonly says: string
  /** It takes no value. */
  readonly bare: boolean
}

export interface Frame {
  readonly world: World
  readonly version: string
  readonly settings: readonly SettingFlag[]
}

export interface Finished {
  readonly ending: Ending
  readonly json: boolean
}

/** Runs one command line to its ending. What a verb throws is a bug and goes through. */
export async function runFramed(
  frame: Frame,
  list: readonly (Verb | Group)[],
  argv: readonly string[],
): Promise<Finished> {
  // `--json` decides the form of usage errors too, which happen before anything is parsed.
  const json = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined).includes('--json')
  let ending: Ending = { kind: 'done' }
  const finish = (end: Ending): void => void (ending = end)
  const program = rootOf(frame)
  for (const it of list)
    program.addCommand('verbs' in it ? groupCommand(it, frame, finish) : verbCommand(it, frame, finish))
  mute(program, frame.world)
  try {
    await program.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) ending = usageFailure(error)
  }
  return { ending, json }
}

function rootOf({ version }: Frame): Command {
  const codes = Object.values(exitCodes).map(({ code, means }) => `  ${code}  ${means}`)
  return (
    new Command('grantor')
      .description('Delegated authorization: starts and administers the authorization server.')
      .version(version, '-V, --version', 'print the version')
      // What stands behind a command's name is the command's.
      .enablePositionalOptions()
      .helpOption('-h, --help', 'print this help')
      .addHelpText('afterAll', `\nExit codes:\n${codes.join('\n')}`)
  )
}

/** Help goes to stdout when asked for; usage errors come back as values and are printed like every other failure. */
function mute(command: Command, world: World): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => void world.stdout.write(text),
    writeErr: () => undefined,
    getOutHelpWidth: () => Math.min(world.stdout.columns ?? 100, 120),
  })
  for (const sub of command.commands) mute(sub, world)
}

function usageFailure(error: CommanderError): Failure {
  // Commander says "(outputHelp)" when a group is called without a verb.
  const what = error.message === '(outputHelp)' ? 'a command is missing' : error.message.replace(/^error: /, '')
  const [first = what, ...rest] = what.split('\n')
  return failure('invalid', first, { where: rest, fix: 'add --help to the command to see what it takes' })
}

const bare = (name: string, says: string): Command =>
  new Command(name).description(says).helpOption('-h, --help', 'print this help')

function groupCommand(group: Group, frame: Frame, finish: (ending: Ending) => void): Command {
  const command = (group.alone === undefined ? bare(group.name, group.says) : verbCommand(group.alone, frame, finish))
    .helpCommand(false)
    .enablePositionalOptions()
  for (const verb of group.verbs) command.addCommand(verbCommand(verb, frame, finish))
  return command
}

function verbCommand(verb: Verb, frame: Frame, finish: (ending: Ending) => void): Command {
  const command = bare(verb.name, verb.says)
  for (const it of verb.args ?? []) command.argument(it.form, it.says)
  for (const it of verb.options ?? []) command.addOption(optionOf(it))
  if (verb.tenant === true) command.addOption(new Option('--tenant <id>', 'the tenant it is about').default('default'))
  command.addOption(new Option('--json', 'answer in JSON, for scripts'))
  for (const { flag, says, bare } of frame.settings) {
    command.addOption(
      new Option(bare ? flag : `${flag} <value>`, says).hideHelp(verb.listsSettings !== true).helpGroup('Settings:'),
    )
  }
  if (verb.listsSettings !== true) {
    command.addHelpText(
      'after',
      '\nEvery setting listed by `grantor start --help` is taken here too, as a flag, GRANTOR_* variable or file.',
    )
  }
  return command.action(async () => finish(await verb.run(callOf(verb, command, frame))))
}

function optionOf({ flag, says, takes, placeholder }: Opt): Option {
  if (takes === undefined) return new Option(flag, says)
  const option = new Option(`${flag} <${placeholder ?? 'text'}>`, says)
  if (takes === 'count') option.argParser(count)
  if (takes === 'list')
    option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value])
  return option
}

function count(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.')
  return Number(text)
}

function callOf(verb: Verb, command: Command, { world, settings }: Frame): Call {
  const values = command.opts<Readonly<Record<string, OptionValue | undefined>>>()
  const valueOf = (flag: string): OptionValue | undefined => values[new Option(flag).attributeName()]
  const given = (flags: readonly string[]): [string, OptionValue][] =>
    flags.flatMap((flag) => {
      const value = valueOf(flag)
      return value === undefined ? [] : [[flag, value]]
    })
  const flagged = settings.flatMap(({ key, flag }) => {
    const value = valueOf(flag)
    return typeof value === 'string' || typeof value === 'boolean' ? [[key, value] as const] : []
  })
  return {
    world,
    out: outputTo(world, values['json'] === true),
    tenant: String(values['tenant'] ?? 'default') as TenantId,
    args: argsOf(verb.args ?? [], command.processedArgs as readonly unknown[]),
    flags: Object.fromEntries(flagged),
    options: new Map(given((verb.options ?? []).map(({ flag }) => flag))),
  }
}

const argsOf = (args: readonly Arg[], values: readonly unknown[]): readonly string[] =>
  args.map((_, at) => (typeof values[at] === 'string' ? values[at] : ''))
