/** Which issuer a command speaks to, where its login lies, and whom it trusts. */
import { resolve } from 'node:path'
import { type Err, ok } from '@grantor/protocol/result'
import { issuerFrom } from '@grantor/server'
import { type CommandFailure, type CommandResult, type ExitResult, failure } from '../program/exit.ts'
import { readSettings } from '../program/settings.ts'
import { argument, type Argument, type CommandContext, type CommandOption, textOption } from '../program/command.ts'
import { type Ask, asking } from './ask.ts'
import { ExposedLogin, storedIssuers, loginFolder } from './stored-login.ts'
import { issuerOf } from './metadata.ts'

export interface LoginTarget {
  readonly issuer: string
  readonly folder: string
  readonly ask: Ask
}

export const issuerArgument: Argument = {
  form: '[issuer]',
  description:
    'the address of the authorization server; by default the one of these settings, or the only one signed in to',
}
export const issuerOption: CommandOption = {
  flag: '--at',
  description: 'the authorization server, where there are several',
  takes: 'text',
  placeholder: 'issuer',
}
export const caOption: CommandOption = {
  flag: '--ca',
  description: 'a file of certificate authorities (PEM) to trust beside the usual ones',
  takes: 'text',
  placeholder: 'file',
}

/** `stored: true` for what is done with a login that is there: the only one needs no name. */
export function loginTarget(
  context: CommandContext,
  { stored }: { readonly stored: boolean },
): CommandResult<LoginTarget> {
  const read = readSettings(context)
  if (read.kind === 'error') return read
  const { settings } = read.value
  const folder = loginFolder(context.environment.env)
  const asked = argument(context, 0) === '' ? (textOption(context, '--at') ?? settings.issuer) : argument(context, 0)
  const [only, ...others] = stored ? storedIssuers(folder) : []
  const named = asked ?? (others.length === 0 ? only : undefined) ?? issuerFrom(settings).origin()
  const issuer = issuerOf(named)
  if (issuer === null) {
    const fix = 'give it as https://host, or https://host/t/tenant'
    return failure('invalid', `${named} is not the address of an issuer`, { fix })
  }
  const ca = textOption(context, '--ca')
  const caFile = ca === undefined ? null : resolve(context.environment.cwd, ca)
  return ok({ issuer, folder, ask: asking({ caFile, data: settings.data }) })
}

export const notSignedIn = (issuer: string): Err<CommandFailure> =>
  failure('absent', `not signed in to ${issuer}`, { fix: `grantor login ${issuer}` })

export const loginEnded = (issuer: string): Err<CommandFailure> =>
  failure('failed', `the login to ${issuer} has ended`, { fix: `grantor login ${issuer}` })

/** What may go wrong on the way to an issuer; anything else that is thrown is a bug. */
export async function orUnreachable(issuer: string, work: () => Promise<ExitResult>): Promise<ExitResult> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ExposedLogin) {
      const fix = 'remove it and sign in again: whoever could read it may have the tokens'
      return failure('failed', error.message, { fix })
    }
    if (!(error instanceof Error) || !isNetwork(error)) throw error
    const { code, message } = error as NodeJS.ErrnoException
    return failure('unavailable', `${issuer} cannot be reached: ${message === '' ? (code ?? 'no answer') : message}`, {
      fix: isCertificate(code) ? 'name the authority of its certificate with --ca' : 'look whether it runs there',
    })
  }
}

/** What Node's network, TLS and file errors have in common. */
const isNetwork = (error: NodeJS.ErrnoException): boolean =>
  error.code !== undefined || error.name === 'AbortError' || error.name === 'TimeoutError'

const isCertificate = (code = ''): boolean => /CERT|SIGNATURE|ISSUER|SELF_SIGNED/.test(code)
