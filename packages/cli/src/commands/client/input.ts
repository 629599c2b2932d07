/** The input of `client create`, from flags and an optional file, by the names of RFC 7591. */
import { type ClientFieldName, clientFields } from '@grantor/protocol/registration'
import { ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { folderOf } from '../../declaration/read.ts'
import { readClientSecretFile } from '../../declaration/secret-files.ts'
import { isObject } from '../../declaration/shape.ts'
import { readSource } from '../../declaration/source.ts'
import { readTextFile } from '../../declaration/text-file.ts'
import { argument, type CommandContext, type CommandOption, textOption } from '../../program/command.ts'
import { type CommandResult, failure, inField, type LocateProblem } from '../../program/exit.ts'

export interface CreateClientInput {
  readonly id: string | undefined
  readonly metadata: JsonObject
  readonly secret: string | undefined
  readonly locate: LocateProblem
}

/** The fields of client metadata with flags of their own, and their placeholders; all others come by --file. */
const flagged = {
  client_name: 'name',
  grant_types: 'type',
  redirect_uris: 'uri',
  scope: 'scopes',
  token_endpoint_auth_method: 'method',
  resource_server: 'identifier',
  default_resource: 'identifier',
} as const satisfies Partial<Record<ClientFieldName, string>>

const fieldOptions = (Object.keys(flagged) as (keyof typeof flagged)[]).map((field) => {
  const { type, description } = clientFields[field]
  const option = { field, placeholder: flagged[field] }
  return type.schema['type'] === 'array'
    ? { ...option, flag: flagOf(field.slice(0, -1)), takes: 'list', description: `${description} (repeat for more)` }
    : { ...option, flag: flagOf(field), takes: 'text', description }
}) satisfies readonly CommandOption[]

export const clientOptions: readonly CommandOption[] = [
  ...fieldOptions,
  {
    flag: '--secret-file',
    takes: 'text',
    placeholder: 'file',
    description: 'a file with the secret it shall have (32 characters or more); without it one is made',
  },
  {
    flag: '--file',
    takes: 'text',
    placeholder: 'file',
    description: 'all of its metadata in YAML or JSON; flags beat it; - reads standard input',
  },
]

export async function readClientInput(context: CommandContext): Promise<CommandResult<CreateClientInput>> {
  const file = await fromFile(context)
  if (file.kind === 'error') return file
  const { client_id: fileId, client_secret: fileSecret, ...rest } = file.value.metadata
  const secretFile = textOption(context, '--secret-file')
  const read = secretFile === undefined ? ok(fileSecret) : await readTextFile(secretFile, context.environment)
  if (read.kind === 'error') return read
  const secret = read.value
  const id = argument(context, 0) || fileId
  if (secret !== undefined && typeof secret !== 'string') return failure('invalid', 'client_secret must be text')
  if (id !== undefined && typeof id !== 'string') return failure('invalid', 'client_id must be text')
  const metadata = { ...rest, ...fromFlags(context) }
  return ok({ id, secret: secret?.replace(/\r?\n$/, ''), metadata, locate: file.value.locate })
}

function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`
}

const fromFlags = ({ options }: CommandContext): JsonObject =>
  Object.fromEntries(
    fieldOptions.flatMap(({ field, flag }) => {
      const value = options.get(flag)
      return value === undefined ? [] : [[field, value] as const]
    }),
  )

type ClientFile = Pick<CreateClientInput, 'metadata' | 'locate'>

async function fromFile(context: CommandContext): Promise<CommandResult<ClientFile>> {
  const { environment } = context
  const name = textOption(context, '--file')
  if (name === undefined) return ok({ metadata: {}, locate: inField })
  const text = await readTextFile(name, environment)
  if (text.kind === 'error') return text
  const source = readSource(text.value)
  const invalid = (line: number, problem: string) =>
    failure('invalid', `${name} is not a client; nothing was changed`, { where: [`${name}:${line}: ${problem}`] })
  if (source.kind === 'error') return invalid(source.error[0]?.line ?? 1, source.error[0]?.problem ?? 'cannot be read')
  const { value, lineOf } = source.value
  if (!isObject(value)) return invalid(1, 'must be an object')
  const locate: LocateProblem = (problem) => `${name}:${lineOf(problem.field)}: ${inField(problem)}`
  if (value['client_secret_file'] === undefined) return ok({ metadata: value, locate })
  const read = await readClientSecretFile(value, folderOf(name, environment))
  return read.kind === 'ok'
    ? ok({ metadata: read.value, locate })
    : invalid(lineOf('client_secret_file'), `client_secret_file: ${read.error}`)
}
