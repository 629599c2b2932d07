/** `client_secret_file`, `secret_file` of a webhook, `signals_authorization_file`, `ca_file` and `certificates_file` of a provider: a text in a file of its own, named relative to the declaration. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { FieldProblem } from '@grantor/authority'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { isObject } from './shape.ts'

export interface SecretFilesRead {
  readonly value: Json
  readonly problems: readonly FieldProblem[]
}

/** By section: the members that may be named by a file. */
const fileMembers = {
  clients: ['client_secret'],
  providers: ['client_secret', 'signals_authorization', 'ca', 'certificates'],
  webhooks: ['secret'],
} as const

/** Replaces every such `…_file` by the secret it holds, at the root and inside tenants. */
export async function readSecretFiles(value: Json, folder: string): Promise<SecretFilesRead> {
  if (!isObject(value)) return { value, problems: [] }
  const problems: FieldProblem[] = []
  const item = async (it: Json, field: string, member: string): Promise<Json> => {
    if (!isObject(it) || it[`${member}_file`] === undefined) return it
    const read = await readSecretFile(it, member, folder)
    if (read.kind === 'ok') return read.value
    problems.push({ field: `${field}.${member}_file`, problem: read.error })
    return it
  }
  const holder = async (it: JsonObject, prefix: string): Promise<JsonObject> => {
    const read: Record<string, Json> = { ...it }
    for (const [section, members] of Object.entries(fileMembers)) {
      for (const member of members) {
        const list = read[section]
        if (Array.isArray(list))
          read[section] = await each(list, (one, at) => item(one, `${prefix}${section}[${at}]`, member))
      }
    }
    return read
  }
  const root = await holder(value, '')
  if (!Array.isArray(root['tenants'])) return { value: root, problems }
  const tenants = await each(root['tenants'], async (one, at) => (isObject(one) ? holder(one, `tenants[${at}].`) : one))
  return { value: { ...root, tenants }, problems }
}

const each = (list: readonly Json[], one: (item: Json, at: number) => Promise<Json>): Promise<Json[]> =>
  Promise.all(list.map(one))

/** The client with its secret in place, or what is wrong with the file. */
export const readClientSecretFile = (client: JsonObject, folder: string): Promise<Result<JsonObject, string>> =>
  readSecretFile(client, fileMembers.clients[0], folder)

async function readSecretFile(holder: JsonObject, member: string, folder: string): Promise<Result<JsonObject, string>> {
  const { [`${member}_file`]: path, ...rest } = holder
  if (typeof path !== 'string' || path === '') return err('must name a file')
  if (rest[member] !== undefined) return err(`stands beside ${member}; give one of them`)
  try {
    // Editors end a file with a newline; a secret does not.
    const secret = (await readFile(resolve(folder, path), 'utf8')).replace(/\r?\n$/, '')
    return ok({ ...rest, [member]: secret })
  } catch (error) {
    return err(`cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`)
  }
}
