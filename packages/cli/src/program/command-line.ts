/** Makes a command line from the list of commands: flags, help, usage errors. The commands do not know the parser. */
import type { Err } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import { Argument as ParserArgument, Command as Parser, CommanderError, InvalidArgumentError, Option } from 'commander'
import { createOutput } from '../output/output.ts'
import {
  type Command,
  type CommandContext,
  type CommandGroup,
  type CommandOption,
  type CommandSection,
  type OptionValue,
  outputOptions,
  type SettingFlag,
} from './command.ts'
import type { Environment } from './environment.ts'
import { type CommandFailure, done, exitCodes, type ExitResult, failure } from './exit.ts'

export interface CommandLine {
  readonly environment: Environment
  readonly version: string
  readonly settingFlags: readonly SettingFlag[]
}

/** Runs one command line to its exit. An exception of a command is a bug and is not caught here. */
export async function runCommandLine(
  commandLine: CommandLine,
  sections: readonly CommandSection[],
  argv: readonly string[],
): Promise<ExitResult> {
  let result = done
  const parserOf = (command: Command): Parser =>
    commandParser(command, commandLine, async (context) => void (result = await command.run(context)))
  const program = rootParser(commandLine)
  for (const { heading, commands } of sections)
    for (const it of commands)
      program.addCommand(('commands' in it ? groupParser(it, parserOf) : parserOf(it)).helpGroup(`${heading}:`))
  configureOutput(program, commandLine.environment)
  // Without arguments the help is printed.
  if (argv.length === 0) {
    program.outputHelp()
    return result
  }
  try {
    await program.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // `help` takes over the exit code of the process, which is that of a failure until there is a result.
    const isHelp = error.code === 'commander.help' && argv[0] === 'help'
    if (error.exitCode !== 0 && !isHelp) result = usageFailure(error)
  }
  return result
}

function rootParser({ version }: CommandLine): Parser {
  const codes = Object.values(exitCodes).map(({ code, means }) => `  ${code}  ${means}`)
  return (
    new Parser('grantor')
      .description('Delegated authorization: starts and administers the authorization server.')
      .version(version, '-V, --version', 'print the version')
      // Options after a command's name belong to the command.
      .enablePositionalOptions()
      .helpOption('-h, --help', 'print this help')
      .helpCommand('help [command]', 'print the help of a command')
      .addHelpText('afterAll', `\nExit codes:\n${codes.join('\n')}`)
  )
}

/**
 * Help goes to stdout if it was asked for; usage errors are returned as values and printed like every other failure.
 */
function configureOutput(parser: Parser, environment: Environment): void {
  parser.exitOverride().configureOutput({
    writeOut: (text) => void environment.stdout.write(text),
    writeErr: () => undefined,
    getOutHelpWidth: () => Math.min(environment.stdout.columns ?? 100, 120),
  })
  for (const sub of parser.commands) configureOutput(sub, environment)
}

function usageFailure(error: CommanderError): Err<CommandFailure> {
  // Commander's message is "(outputHelp)" if a group is named without one of its commands.
  const what = error.message === '(outputHelp)' ? 'a command is missing' : error.message.replace(/^error: /, '')
  const [first = what, ...rest] = what.split('\n')
  const fix = 'add --help to the command to see what it takes'
  const behind = error.code === 'commander.unknownOption' ? '; an argument that begins with - stands behind --' : ''
  return failure('invalid', first, { where: rest, fix: `${fix}${behind}` })
}

/** Adds a command's options only when it is called: 200 settings for each of 100 commands would take much memory. */
class CommandParser extends Parser {
  beforeParsing: (() => void) | null = null

  override parseOptions(argv: string[]): ReturnType<Parser['parseOptions']> {
    this.beforeParsing?.()
    this.beforeParsing = null
    return super.parseOptions(argv)
  }
}

const namedParser = ({ name, description }: Command | CommandGroup): CommandParser =>
  new CommandParser(name).description(description).helpOption('-h, --help', 'print this help')

function groupParser(group: CommandGroup, parserOf: (command: Command) => Parser): Parser {
  const parser = group.defaultCommand === undefined ? namedParser(group) : parserOf(group.defaultCommand)
  parser.helpCommand(false).enablePositionalOptions()
  for (const command of group.commands) parser.addCommand(parserOf(command))
  return parser
}

function commandParser(
  command: Command,
  commandLine: CommandLine,
  run: (context: CommandContext) => Promise<void>,
): Parser {
  const parser = namedParser(command)
  for (const { form, description, choices } of command.args ?? []) {
    const it = new ParserArgument(form, description)
    parser.addArgument(choices === undefined ? it : it.choices([...choices]))
  }
  for (const it of command.options ?? []) parser.addOption(optionParser(it))
  if (command.tenant === true)
    parser.addOption(new Option('--tenant <id>', 'the tenant it is about').default('default'))
  for (const { flag, description } of outputOptions) parser.addOption(new Option(flag, description))
  if (command.takesNoSettings !== true) addSettings(parser, command.listsSettings === true, commandLine)
  return parser.action(() => run(contextOf(command, parser, commandLine)))
}

function addSettings(parser: CommandParser, areListed: boolean, { settingFlags }: CommandLine): void {
  const add = (): void => {
    for (const { flag, description, isSwitch } of settingFlags) {
      const option = new Option(isSwitch ? flag : `${flag} <value>`, description)
      parser.addOption(option.hideHelp(!areListed).helpGroup('Settings:'))
    }
  }
  if (areListed) return add()
  parser.beforeParsing = add
  parser.addHelpText(
    'after',
    '\nEvery setting listed by `grantor start --help` is taken here too, as a flag, GRANTOR_* variable or file.',
  )
}

function optionParser({ flag, description, takes, placeholder, choices, otherwise }: CommandOption): Option {
  if (takes === undefined) return new Option(flag, description)
  const help = otherwise === undefined ? description : `${description} (otherwise: ${otherwise})`
  const option = new Option(`${flag} <${placeholder ?? 'text'}>`, help)
  if (choices !== undefined) option.choices([...choices])
  if (takes === 'count') option.argParser(parseCount)
  if (takes === 'list')
    option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value])
  return option
}

function parseCount(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.')
  return Number(text)
}

function contextOf(command: Command, parser: Parser, { environment, settingFlags }: CommandLine): CommandContext {
  const values = parser.opts<Readonly<Record<string, OptionValue | undefined>>>()
  const entry = (name: string, flag: string): [string, OptionValue][] => {
    const value = values[new Option(flag).attributeName()]
    return value === undefined ? [] : [[name, value]]
  }
  const args = parser.processedArgs as readonly unknown[]
  return {
    environment,
    out: createOutput(environment, { json: values['json'] === true, quiet: values['quiet'] === true }),
    tenant: String(values['tenant'] ?? 'default') as TenantId,
    args: args.map((value) => (typeof value === 'string' ? value : '')),
    settingFlags: Object.fromEntries(settingFlags.flatMap(({ key, flag }) => entry(key, flag))) as Record<
      string,
      string | boolean
    >,
    options: new Map((command.options ?? []).flatMap(({ flag }) => entry(flag, flag))),
  }
}
