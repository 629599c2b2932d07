/** The credentials that checks send: given headers, a given token, or a token requested as a client. */
import { ok } from '@grantor/protocol/result'
import { type CommandContext, textOption } from '../program/command.ts'
import { type CommandResult, failure } from '../program/exit.ts'
import type { Exchange } from './exchange.ts'
import { obtainToken } from './token.ts'

/** Headers, by name in lower case. */
export type Credentials = Readonly<Record<string, string>>

export async function credentialsOf(context: CommandContext, exchange: Exchange): Promise<CommandResult<Credentials>> {
  const headers: Record<string, string> = {}
  const given = context.options.get('--header')
  for (const line of Array.isArray(given) ? (given as readonly string[]) : []) {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*([^\r\n]*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) return failure('invalid', `--header ${line} is not \`Name: value\``)
    headers[name.toLowerCase()] = value
  }
  const token = textOption(context, '--token')
  if (token !== undefined) return ok({ ...headers, authorization: `Bearer ${token}` })
  const clientId = textOption(context, '--client-id')
  if (clientId === undefined) return ok(headers)
  const [clientSecret, issuer] = [textOption(context, '--client-secret'), context.settingFlags['issuer']]
  if (clientSecret === undefined || typeof issuer !== 'string')
    return failure('invalid', '--client-id needs --client-secret and --issuer')
  const [scope, resource] = [textOption(context, '--scope'), textOption(context, '--resource')]
  const obtained = await obtainToken({ issuer, clientId, clientSecret, scope, resource }, exchange)
  if (obtained.kind === 'error') return failure('unavailable', `no token from ${issuer}: ${obtained.error}`)
  return ok({ ...headers, authorization: `Bearer ${obtained.value}` })
}
