/** Which issuer a command speaks to, where its login lies, and whom it trusts. */
import { resolve } from 'node:path'
import { issuerFrom } from '@grantor/server'
import { failure, type Failure } from '../program/exit.ts'
import { settle } from '../program/settings.ts'
import { arg, type Arg, type Call, type Opt, textOf } from '../program/command.ts'
import { type Ask, asking } from './ask.ts'
import { Exposed, keptIssuers, loginFolder } from './stored-login.ts'
import { issuerOf } from './metadata.ts'

export interface LoginPlace {
  readonly issuer: string
  readonly folder: string
  readonly ask: Ask
}

export const issuerArg: Arg = {
  form: '[issuer]',
  says: 'the address of the authorization server; by default the one of these settings, or the only one signed in to',
}
export const issuerOption: Opt = {
  flag: '--at',
  says: 'the authorization server, where there are several',
  takes: 'text',
  placeholder: 'issuer',
}
export const caOption: Opt = {
  flag: '--ca',
  says: 'a file of certificate authorities (PEM) to trust beside the usual ones',
  takes: 'text',
  placeholder: 'file',
}

/** `kept: true` for what is done with a login that is there: the only one needs no name. */
export function placeOfLogin(call: Call, { kept }: { readonly kept: boolean }): LoginPlace | Failure {
  const read = settle(call)
  if (!read.ok) return read.failure
  const { settings } = read.settled
  const folder = loginFolder(call.world.env)
  const given = arg(call, 0) === '' ? (textOf(call, '--at') ?? settings.issuer) : arg(call, 0)
  const [only, ...others] = kept ? keptIssuers(folder) : []
  const named = given ?? (others.length === 0 ? only : undefined) ?? issuerFrom(settings).origin()
  const issuer = issuerOf(named)
  if (issuer === null) {
    const fix = 'give it as https://host, or https://host/t/tenant'
    return failure('invalid', `${named} is not the address of an issuer`, { fix })
  }
  const ca = textOf(call, '--ca')
  const caFile = ca === undefined ? null : resolve(call.world.cwd, ca)
  return { issuer, folder, ask: asking({ caFile, data: settings.data }) }
}

export const notSignedIn = (issuer: string): Failure =>
  failure('absent', `not signed in to ${issuer}`, { fix: `grantor login ${issuer}` })

export const endedLogin = (issuer: string): Failure =>
  failure('failed', `the login to ${issuer} has ended`, { fix: `grantor login ${issuer}` })

/** What may go wrong on the way to an issuer; anything else that is thrown is a bug. */
export async function reaching<T>(issuer: string, work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Exposed) {
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
