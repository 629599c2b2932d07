/** Which issuer a command speaks to, where its login is stored, and which authorities it trusts. */
import { resolve } from 'node:path'
import { type Err, ok } from '@grantor/protocol/result'
import { issuerFrom } from '@grantor/server'
import type { CustomFetch } from 'openid-client'
import { argument, type Argument, type CommandContext, type CommandOption, textOption } from '../program/command.ts'
import { type CommandFailure, type CommandResult, failure } from '../program/exit.ts'
import { readSettings } from '../program/settings.ts'
import { issuerFetch, type Trust, withoutChallenges } from './fetch.ts'
import { loginFolder, storedIssuers } from './stored-login.ts'

/** The client of the command line, which every deployment has (packages/server/src/command-line-client.ts). */
export const builtInClient = 'grantor-cli'
export const defaultScope = 'openid profile email offline_access'

export interface LoginTarget {
  readonly issuer: string
  readonly folder: string
  readonly trust: Trust
  readonly fetch: CustomFetch
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

export interface IssuerChoice {
  readonly stored: boolean
  /** The issuer, if the command knows it already. */
  readonly issuer?: string
}

/** `stored: true` for commands that use a stored login: if there is only one, it need not be named. */
export function loginTarget(
  context: CommandContext,
  { stored, issuer: given }: IssuerChoice,
): CommandResult<LoginTarget> {
  const read = readSettings(context)
  if (read.kind === 'error') return read
  const { settings } = read.value
  const folder = loginFolder(context.environment.env)
  const named = argument(context, 0) === '' ? (textOption(context, '--at') ?? settings.issuer) : argument(context, 0)
  const asked = given ?? named
  const [only, ...others] = stored ? storedIssuers(folder) : []
  const chosen = asked ?? (others.length === 0 ? only : undefined) ?? issuerFrom(settings).origin()
  const issuer = issuerIdentifier(chosen)
  if (issuer === null) {
    const fix = 'give it as https://host, or https://host/t/tenant'
    return failure('invalid', `${chosen} is not the address of an issuer`, { fix })
  }
  const ca = textOption(context, '--ca')
  const caFile = ca === undefined ? null : resolve(context.environment.cwd, ca)
  const trust = { caFile, data: settings.data }
  return ok({ issuer, folder, trust, fetch: withoutChallenges(issuerFetch(trust)) })
}

/** Null if an address cannot be an issuer, which needs https and has neither query nor fragment (RFC 8414 §2). */
export function issuerIdentifier(text: string): string | null {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  if (url?.protocol !== 'https:' || url.search !== '' || url.hash !== '' || url.username !== '') return null
  // Without the final slash that `URL` adds: our issuers have none.
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

export const notSignedIn = (issuer: string): Err<CommandFailure> =>
  failure('absent', `not signed in to ${issuer}`, { fix: `grantor login ${issuer}` })

export const loginEnded = (issuer: string): Err<CommandFailure> =>
  failure('failed', `the login to ${issuer} has ended`, { fix: `grantor login ${issuer}` })
