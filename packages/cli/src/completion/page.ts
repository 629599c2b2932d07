/** Generates docs/cli.md from the list of commands. */
import type { Argument, Command, CommandGroup, CommandOption, CommandSection } from '../program/command.ts'
import { exitCodes } from '../program/exit.ts'

export function commandLinePage(sections: readonly CommandSection[], shared: readonly CommandOption[]): string {
  const codes = Object.values(exitCodes).map(({ code, means }) => `| ${code} | ${means} |`)
  return [
    '# The command line',
    'This page is written by `npm run docs` from the list of commands. `grantor COMMAND --help` says the same.',
    'Commands act on the database of the settings (flags, `GRANTOR_*` variables, files: [configuration.md](configuration.md)), whether or not a server runs on it. Where there is none they make one, and say so; `backup`, `export`, `audit` and `key` end with 3. Those with `--server` act at a server instead, by its [admin API](admin-api.md), with the rights of who signed in there by `grantor login URL --admin`: see [administrators.md](administrators.md). The words are those of the API: `grantor grant list --client-id web` is `GET /v1/grants?client_id=web`, `update` a PATCH of what `--set` names, `delete` and `revoke` a DELETE, each with the version that was read (`If-Match`). On the database the same declarations answer in process, and the log names the operator by the name that the machine knows.',
    'Answers are tables as wide as the terminal (or `COLUMNS`), in a pipe as wide as they need to be. Failures are on stderr; with `--json` as one line `{"error":{"kind","exit","what","where","fix"}}`. What cannot be undone is asked about on a terminal, unless `--yes` is given.',
    'Every command takes:',
    optionTable(shared),
    'Completion: `source <(grantor completion bash)`, the same with `zsh`, or `grantor completion fish | source`.',
    '## Exit codes',
    ['| code | means |', '|---|---|', ...codes].join('\n'),
    ...sections.flatMap(({ heading, commands }) => [`## ${heading}`, ...commands.flatMap(partsOf)]),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
}

function partsOf(it: Command | CommandGroup): readonly string[] {
  if (!('commands' in it)) return commandParts(`grantor ${it.name}`, it)
  const own = it.defaultCommand === undefined ? [] : commandParts(`grantor ${it.name}`, it.defaultCommand)
  return [
    ...(own.length > 0 ? own : [`### grantor ${it.name}`, `${capital(it.description)}.`]),
    ...it.commands.flatMap((command) => commandParts(`grantor ${it.name} ${command.name}`, command).slice(1)),
  ]
}

function commandParts(words: string, command: Command): readonly string[] {
  const args = command.args ?? []
  const tenant = {
    flag: '--tenant',
    description: 'the tenant it is about',
    takes: 'text',
    placeholder: 'id',
    otherwise: 'default',
  } as const
  const options = [...(command.options ?? []), ...(command.tenant === true ? [tenant] : [])]
  return [
    `### ${words}`,
    `\`${[words, ...args.map(({ form }) => form)].join(' ')}\`: ${command.description}.`,
    ...(args.length + options.length === 0 ? [] : [optionTable(options, args)]),
  ]
}

function optionTable(options: readonly CommandOption[], args: readonly Argument[] = []): string {
  const rows = [
    ...args.map(({ form, description, choices }) => [`\`${form}\``, description, more(choices)]),
    ...options.map(({ flag, takes, placeholder = 'text', description, choices, otherwise }) => [
      `\`${takes === undefined ? flag : `${flag} <${placeholder}>`}\``,
      otherwise === undefined ? description : `${description} (otherwise: ${otherwise})`,
      more(choices),
    ]),
  ]
  return ['| | |', '|---|---|', ...rows.map(([name, text, rest]) => `| ${name} | ${escaped(`${text}${rest}`)} |`)].join(
    '\n',
  )
}

const more = (choices: readonly string[] | undefined): string =>
  choices === undefined ? '' : ` (${choices.join(', ')})`

const escaped = (text: string): string => text.replaceAll('|', '\\|')

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
