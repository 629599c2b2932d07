/** `grantor import` */
import { carryOver } from '../../import/carry-over.ts'
import { readAuth0Export } from '../../import/auth0.ts'
import { readCsvExport } from '../../import/csv.ts'
import { readKeycloakExport } from '../../import/keycloak.ts'
import { importReport, reportText } from '../../import/report.ts'
import { type ImportedData, NotThatExport } from '../../import/source.ts'
import { readTextFile } from '../../declaration/text-file.ts'
import {
  argument,
  type Command,
  type CommandContext,
  type CommandGroup,
  type CommandOption,
  hasFlag,
  textOption,
} from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { adminFailure, done, type ExitResult, failure } from '../../program/exit.ts'

const planOption: CommandOption = {
  flag: '--plan',
  description: 'name everybody and what would become of them; nothing is changed',
}
const hashesOption: CommandOption = {
  flag: '--hashes',
  takes: 'text',
  placeholder: 'file',
  description: 'the export of password hashes that Auth0’s support sends',
}
const configurationOption: CommandOption = {
  flag: '--configuration',
  takes: 'text',
  placeholder: 'file',
  description: 'what the Auth0 tenant was made of, as its Deploy CLI exports it (YAML or JSON)',
}
const rolesAtOption: CommandOption = {
  flag: '--roles-at',
  takes: 'text',
  placeholder: 'uri',
  description: 'the API whose scopes the roles of the realm become; it is made where there is none',
}
const withoutPeopleOption: CommandOption = {
  flag: '--without-people',
  description: 'take an export that holds nobody, for its clients',
}

/** A longer text could not be held in one string. */
const maxBytes = 400 * 1024 * 1024

interface Source {
  readonly name: string
  readonly description: string
  readonly options: readonly CommandOption[]
  /** Options that name further files besides the export. */
  readonly beside: readonly CommandOption[]
  read(text: string, context: CommandContext, beside: ReadonlyMap<CommandOption, string>): ImportedData
}

const sources: readonly Source[] = [
  {
    name: 'keycloak',
    description: 'people, groups, roles, providers and clients of a realm, from `kc.sh export --users same_file`',
    options: [withoutPeopleOption, rolesAtOption],
    beside: [],
    read: (text, context) =>
      readKeycloakExport(text, {
        withoutPeople: hasFlag(context, withoutPeopleOption.flag),
        rolesAt: textOption(context, rolesAtOption.flag) ?? null,
      }),
  },
  {
    name: 'auth0',
    description: 'people, from the export of users as JSON lines',
    options: [hashesOption, configurationOption],
    beside: [hashesOption, configurationOption],
    read: (text, _context, beside) =>
      readAuth0Export(text, {
        hashes: beside.get(hashesOption) ?? null,
        configuration: beside.get(configurationOption) ?? null,
      }),
  },
  {
    name: 'csv',
    description: 'people, from a table whose first row names the columns',
    options: [],
    beside: [],
    read: (text) => readCsvExport(text),
  },
]

export const importGroup: CommandGroup = {
  name: 'import',
  description: 'bring people and clients over from another system, with their passwords',
  commands: sources.map((source): Command => ({
    name: source.name,
    description: source.description,
    args: [{ form: '<file>', description: 'the export; - reads standard input' }],
    options: [planOption, ...source.options],
    tenant: true,
    run: (context) => importFrom(source, context),
  })),
}

async function importFrom(source: Source, context: CommandContext): Promise<ExitResult> {
  const read = await readTextFile(argument(context, 0), context.environment, maxBytes)
  if (read.kind === 'error') return read
  const beside = new Map<CommandOption, string>()
  for (const option of source.beside) {
    const named = textOption(context, option.flag)
    const file = named === undefined ? null : await readTextFile(named, context.environment, maxBytes)
    if (file?.kind === 'error') return file
    if (file !== null) beside.set(option, file.value)
  }
  let data: ImportedData
  try {
    data = source.read(read.value, context, beside)
  } catch (error) {
    if (!(error instanceof NotThatExport)) throw error
    return failure('invalid', `${error.message}; nothing was changed`, error.fix === null ? {} : { fix: error.fix })
  }
  return withTenant(context, async (deployment) => {
    const plan = hasFlag(context, planOption.flag)
    const carried = await context.out.progress(plan ? 'comparing' : 'importing', (progress) =>
      carryOver(data, { tenant: context.tenant, plan, progress }, deployment),
    )
    // When the command is run again, objects imported before are skipped.
    if (carried.kind === 'error') return adminFailure(carried.error)
    const report = importReport(data, carried.value, plan)
    await context.out.document(report, reportText(report))
    if (report.refused.length === 0) return done
    const others = plan ? 'everything else could be' : 'everything else was'
    return failure('conflict', `${report.refused.length} cannot be carried over; ${others}`, {
      where: report.refused.slice(0, mostNamed),
      fix: 'mend the export and run the same command again: whoever is here already is passed over',
    })
  })
}

const mostNamed = 50
