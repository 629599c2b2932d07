/** The body of a call from flags: `--set name=text`, `--set name:=json`, a file, and the flags that a command has anyway. */
import { ok } from '@grantor/protocol/result'
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'
import { readSource } from '../declaration/source.ts'
import { readTextFile } from '../declaration/text-file.ts'
import { type CommandContext, type CommandOption, listOption, textOption } from '../program/command.ts'
import { type CommandResult, failure } from '../program/exit.ts'

export const setOption: CommandOption = {
  flag: '--set',
  description: 'a member by its name in the API: name=text, or name:=json (repeat for more)',
  takes: 'list',
  placeholder: 'member',
}
export const fileOption: CommandOption = {
  flag: '--file',
  description: 'members in YAML or JSON; --set beats it; - reads standard input',
  takes: 'text',
  placeholder: 'file',
}

export async function readBody(context: CommandContext): Promise<CommandResult<JsonObject>> {
  const file = await membersOfFile(context)
  if (file.kind === 'error') return file
  const members: Record<string, Json> = { ...file.value }
  for (const text of listOption(context, setOption.flag) ?? []) {
    const [, name, json, value = ''] = /^([A-Za-z_][\w.-]*)(:?)=([^]*)$/.exec(text) ?? []
    if (name === undefined) return failure('invalid', `--set ${text}: it must be name=text or name:=json`)
    const parsed = json === ':' ? parsedJson(value) : value
    if (parsed === undefined) return failure('invalid', `--set ${name}: what stands behind := is not JSON`)
    members[name] = parsed
  }
  return ok(members)
}

async function membersOfFile(context: CommandContext): Promise<CommandResult<JsonObject>> {
  const name = textOption(context, fileOption.flag)
  if (name === undefined) return ok({})
  const read = await readTextFile(name, context.environment)
  if (read.kind === 'error') return read
  const source = readSource(read.value)
  if (source.kind === 'ok' && isJsonObject(source.value.value)) return ok(source.value.value)
  const [first] = source.kind === 'error' ? source.error : []
  const where = [`${name}:${first?.line ?? 1}: ${first?.problem ?? 'must be an object'}`]
  return failure('invalid', `${name} cannot be read; nothing was changed`, { where })
}

function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
