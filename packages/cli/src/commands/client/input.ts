/** What a new client shall be, from flags and perhaps a file, in the names of RFC 7591. */
import { dirname, resolve } from 'node:path'
import type { FieldProblem } from '@grantor/authority'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { secretOf } from '../../declaration/secret-files.ts'
import { isObject } from '../../declaration/shape.ts'
import { readSource } from '../../declaration/source.ts'
import { textOf as textOfFile } from '../../declaration/text-file.ts'
import { failure, type Failure } from '../../program/exit.ts'
import { arg, type Call, listOf, type Opt, textOf } from '../../program/command.ts'

export interface ClientWish {
  readonly id: string | undefined
  readonly metadata: JsonObject
  readonly secret: string | undefined
  readonly place: (problem: FieldProblem) => string
}

export const wishFlags: readonly Opt[] = [
  { flag: '--client-name', takes: 'text', placeholder: 'name', says: 'what people see' },
  {
    flag: '--grant-type',
    takes: 'list',
    placeholder: 'type',
    says: 'a grant it may use, e.g. client_credentials (repeat for more)',
  },
  {
    flag: '--redirect-uri',
    takes: 'list',
    placeholder: 'uri',
    says: 'where codes are delivered, letter by letter (repeat for more)',
  },
  { flag: '--scope', takes: 'text', placeholder: 'scopes', says: 'the scopes it may ask for, separated by spaces' },
  {
    flag: '--token-endpoint-auth-method',
    takes: 'text',
    placeholder: 'method',
    says: 'client_secret_basic (default), client_secret_post, none …',
  },
  {
    flag: '--resource-server',
    takes: 'text',
    placeholder: 'identifier',
    says: 'it is the API of this identifier and may introspect its tokens',
  },
  {
    flag: '--default-resource',
    takes: 'text',
    placeholder: 'identifier',
    says: 'the API its tokens are for when it names none',
  },
  {
    flag: '--secret-file',
    takes: 'text',
    placeholder: 'file',
    says: 'a file with the secret it shall have (32 characters or more); without it one is made',
  },
  {
    flag: '--file',
    takes: 'text',
    placeholder: 'file',
    says: 'all of its metadata in YAML or JSON; flags beat it; - reads standard input',
  },
]

export async function wishOf(call: Call): Promise<ClientWish | Failure> {
  const file = await fromFile(call)
  if ('kind' in file) return file
  const { client_id: fileId, client_secret: fileSecret, ...rest } = file.metadata
  const secretFile = textOf(call, '--secret-file')
  const secret = secretFile === undefined ? fileSecret : await textOfFile(secretFile, call.world)
  if (isFailure(secret)) return secret
  const id = arg(call, 0) || fileId
  if (secret !== undefined && typeof secret !== 'string') return failure('invalid', 'client_secret must be text')
  if (id !== undefined && typeof id !== 'string') return failure('invalid', 'client_id must be text')
  return { id, secret: secret?.replace(/\r?\n$/, ''), metadata: { ...rest, ...fromFlags(call) }, place: file.place }
}

const isFailure = (value: Json | Failure | undefined): value is Failure =>
  isObject(value as Json) && (value as Failure).kind !== undefined

function fromFlags(call: Call): JsonObject {
  const fields = {
    client_name: textOf(call, '--client-name'),
    grant_types: listOf(call, '--grant-type'),
    redirect_uris: listOf(call, '--redirect-uri'),
    scope: textOf(call, '--scope'),
    token_endpoint_auth_method: textOf(call, '--token-endpoint-auth-method'),
    resource_server: textOf(call, '--resource-server'),
    default_resource: textOf(call, '--default-resource'),
  }
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string | readonly string[]] => entry[1] !== undefined),
  )
}

async function fromFile(call: Call): Promise<Pick<ClientWish, 'metadata' | 'place'> | Failure> {
  const name = textOf(call, '--file')
  if (name === undefined) return { metadata: {}, place: ({ field, problem }) => `${field}: ${problem}` }
  const text = await textOfFile(name, call.world)
  if (typeof text !== 'string') return text
  const source = readSource(text)
  const bad = (line: number, words: string): Failure =>
    failure('invalid', `${name} is not a client; nothing was changed`, { where: [`${name}:${line}: ${words}`] })
  if (!source.ok) return bad(source.problems[0]?.line ?? 1, source.problems[0]?.problem ?? 'cannot be read')
  const { value, lineOf } = source.value
  if (!isObject(value)) return bad(1, 'must be an object')
  const place = ({ field, problem }: FieldProblem): string => `${name}:${lineOf(field)}: ${field}: ${problem}`
  if (value['client_secret_file'] === undefined) return { metadata: value, place }
  const read = await secretOf(value, name === '-' ? call.world.cwd : dirname(resolve(call.world.cwd, name)))
  return read.ok
    ? { metadata: read.client, place }
    : bad(lineOf('client_secret_file'), `client_secret_file: ${read.problem}`)
}
