/** The input of `client create`, from flags and perhaps a file, in the names of RFC 7591. */
import { ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { folderOf } from '../../declaration/read.ts'
import { readClientSecretFile } from '../../declaration/secret-files.ts'
import { isObject } from '../../declaration/shape.ts'
import { readSource } from '../../declaration/source.ts'
import { readTextFile } from '../../declaration/text-file.ts'
import { argument, type CommandContext, type CommandOption, listOption, textOption } from '../../program/command.ts'
import { type CommandResult, failure, inField, type LocateProblem } from '../../program/exit.ts'

export interface CreateClientInput {
  readonly id: string | undefined
  readonly metadata: JsonObject
  readonly secret: string | undefined
  readonly locate: LocateProblem
}

export const clientOptions: readonly CommandOption[] = [
  { flag: '--client-name', takes: 'text', placeholder: 'name', description: 'what people see' },
  {
    flag: '--grant-type',
    takes: 'list',
    placeholder: 'type',
    description: 'a grant it may use, e.g. client_credentials (repeat for more)',
  },
  {
    flag: '--redirect-uri',
    takes: 'list',
    placeholder: 'uri',
    description: 'where codes are delivered, letter by letter (repeat for more)',
  },
  {
    flag: '--scope',
    takes: 'text',
    placeholder: 'scopes',
    description: 'the scopes it may ask for, separated by spaces',
  },
  {
    flag: '--token-endpoint-auth-method',
    takes: 'text',
    placeholder: 'method',
    description: 'client_secret_basic (default), client_secret_post, none …',
  },
  {
    flag: '--resource-server',
    takes: 'text',
    placeholder: 'identifier',
    description: 'it is the API of this identifier and may introspect its tokens',
  },
  {
    flag: '--default-resource',
    takes: 'text',
    placeholder: 'identifier',
    description: 'the API its tokens are for when it names none',
  },
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

function fromFlags(context: CommandContext): JsonObject {
  const fields = {
    client_name: textOption(context, '--client-name'),
    grant_types: listOption(context, '--grant-type'),
    redirect_uris: listOption(context, '--redirect-uri'),
    scope: textOption(context, '--scope'),
    token_endpoint_auth_method: textOption(context, '--token-endpoint-auth-method'),
    resource_server: textOption(context, '--resource-server'),
    default_resource: textOption(context, '--default-resource'),
  }
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string | readonly string[]] => entry[1] !== undefined),
  )
}

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
