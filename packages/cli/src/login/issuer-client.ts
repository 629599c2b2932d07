/** Speaks to an issuer with openid-client, and turns the outcome into values: an answer, a refusal, or no answer. */
import { type Err, err, ok, type Result } from '@grantor/protocol/result'
import {
  AuthorizationResponseError,
  ClientError,
  type Configuration,
  customFetch,
  discovery,
  None,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import type { CommandContext } from '../program/command.ts'
import { type CommandFailure, type CommandResult, type ExitResult, failure } from '../program/exit.ts'
import { fileFailure } from '../program/file-failure.ts'
import { NoAnswer } from '../program/https.ts'
import { ExposedLogin } from './stored-login.ts'
import { type IssuerChoice, type LoginTarget, loginTarget } from './target.ts'

/** Configures the client from the issuer's metadata document (RFC 8414 §3). */
export async function discoverIssuer(
  { issuer, fetch }: LoginTarget,
  clientId: string,
): Promise<CommandResult<Configuration>> {
  const { origin, pathname } = new URL(issuer)
  const url = new URL(`${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`)
  const found = await answered(discovery(url, clientId, undefined, None(), { [customFetch]: fetch }))
  if (found.kind === 'error' && found.error.status !== 200)
    return unusable(issuer, `it answered ${found.error.status} when asked for its metadata`, found.error.status)
  const metadata = found.kind === 'ok' ? found.value.serverMetadata() : null
  // RFC 8414 §3.3: otherwise one server could impersonate another.
  if (found.kind === 'error' || metadata?.issuer !== issuer)
    return unusable(issuer, `it calls itself ${metadata?.issuer.slice(0, 200) ?? 'nothing'}`)
  return metadata.token_endpoint === undefined ? unusable(issuer, 'its metadata name no token endpoint') : found
}

const unusable = (issuer: string, why: string, status = 200): Err<CommandFailure> =>
  failure(exitAt(status), `${issuer} cannot be used: ${why}`)

/** The exit of a command after this status: `unavailable` if a later attempt may succeed. */
export const exitAt = (status: number): 'unavailable' | 'failed' =>
  status === 503 || status === 429 ? 'unavailable' : 'failed'

/** An error answer of an issuer. */
export interface IssuerRefusal {
  /** 200 if the refusal was not an HTTP error status. */
  readonly status: number
  readonly error: string | null
  readonly description: string | null
}

/** Turns a refusal into an error value; still rejects if there was no answer. */
export const answered = <T>(request: Promise<T>): Promise<Result<T, IssuerRefusal>> =>
  request.then(ok, (error: unknown) => err(refusalIn(error)))

function refusalIn(error: unknown): IssuerRefusal {
  if (error instanceof ResponseBodyError)
    return { status: error.status, error: error.error, description: error.error_description ?? null }
  // RFC 6749 §4.1.2.1: the refusal came in the redirect of the browser.
  if (error instanceof AuthorizationResponseError)
    return { status: 200, error: error.error, description: error.error_description ?? null }
  if (error instanceof WWWAuthenticateChallengeError) {
    const named = error.cause.find(({ parameters }) => parameters.error !== undefined)
    return { status: error.status, error: named?.parameters.error ?? null, description: null }
  }
  if (!isOfLibrary(error)) throw error
  return error.cause instanceof Response
    ? { status: error.cause.status, error: null, description: null }
    : { status: 200, error: null, description: error.message }
}

/** Whether the library threw it, by its code; any other error happened on the network. */
const isOfLibrary = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('OAUTH_')

/** Runs a command against its issuer; network errors become failures, anything else that is thrown is a bug. */
export async function withIssuer(
  context: CommandContext,
  options: IssuerChoice,
  work: (target: LoginTarget) => Promise<ExitResult>,
): Promise<ExitResult> {
  const target = loginTarget(context, options)
  if (target.kind === 'error') return target
  try {
    return await work(target.value)
  } catch (error) {
    if (error instanceof ExposedLogin) {
      const fix = 'remove it and sign in again: whoever could read it may have the tokens'
      return failure('failed', error.message, { fix })
    }
    const cause = error instanceof ClientError ? error.cause : error
    // For example, the file given with --ca.
    const ofFile = fileFailure(cause)
    if (ofFile !== null) return ofFile
    if (!(cause instanceof NoAnswer)) throw error
    const { origin, code, message } = cause
    if (code === null) return failure('failed', `${origin} does not answer as it should: ${message}`)
    return failure('unavailable', `${origin} cannot be reached: ${message}`, {
      fix: isCertificate(code) ? 'name the authority of its certificate with --ca' : 'look whether it runs there',
    })
  }
}

const isCertificate = (code: string): boolean => /CERT|SIGNATURE|ISSUER|SELF_SIGNED/.test(code)
