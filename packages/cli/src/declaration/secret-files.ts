/** `client_secret_file`: the secret stands in a file of its own, named relative to the declaration. */
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

/** Replaces every `client_secret_file` by the `client_secret` it holds, at the root and inside tenants. */
export async function readSecretFiles(value: Json, folder: string): Promise<SecretFilesRead> {
  if (!isObject(value)) return { value, problems: [] }
  const problems: FieldProblem[] = []
  const client = async (it: Json, field: string): Promise<Json> => {
    if (!isObject(it) || it['client_secret_file'] === undefined) return it
    const read = await readClientSecretFile(it, folder)
    if (read.kind === 'ok') return read.value
    problems.push({ field: `${field}.client_secret_file`, problem: read.error })
    return it
  }
  const holder = async (it: JsonObject, prefix: string): Promise<JsonObject> =>
    Array.isArray(it['clients'])
      ? { ...it, clients: await each(it['clients'], (one, at) => client(one, `${prefix}clients[${at}]`)) }
      : it
  const root = await holder(value, '')
  if (!Array.isArray(root['tenants'])) return { value: root, problems }
  const tenants = await each(root['tenants'], async (one, at) => (isObject(one) ? holder(one, `tenants[${at}].`) : one))
  return { value: { ...root, tenants }, problems }
}

const each = (list: readonly Json[], one: (item: Json, at: number) => Promise<Json>): Promise<Json[]> =>
  Promise.all(list.map(one))

/** The client with its secret in place, or what is wrong with the file. */
export async function readClientSecretFile(
  { client_secret_file: path, ...client }: JsonObject,
  folder: string,
): Promise<Result<JsonObject, string>> {
  if (typeof path !== 'string' || path === '') return err('must name a file')
  if (client['client_secret'] !== undefined) return err('stands beside client_secret; give one of them')
  try {
    // Editors end a file with a newline; a secret does not.
    const secret = (await readFile(resolve(folder, path), 'utf8')).replace(/\r?\n$/, '')
    return ok({ ...client, client_secret: secret })
  } catch (error) {
    return err(`cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`)
  }
}
