/** Signs in with the device page of an issuer, and stores the tokens on this machine. */
import { adminScopes } from '@grantor/protocol/oauth'
import type { Err } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import { initiateDeviceAuthorization, type TokenEndpointResponse } from 'openid-client'
import { printable } from '../output/printable.ts'
import { timestamp } from '../output/time.ts'
import { type CommandContext, hasFlag, textOption } from '../program/command.ts'
import { type CommandFailure, done, type ExitResult, failure } from '../program/exit.ts'
import { awaitDecision, type PendingDevice } from './device.ts'
import { answered, discoverIssuer, exitAt, type IssuerRefusal, withIssuer } from './issuer-client.ts'
import { storeLogin, withLogin } from './stored-login.ts'
import { builtInClient, defaultScope, type LoginTarget } from './target.ts'
import { loginFrom } from './tokens.ts'

export const signIn = (context: CommandContext): Promise<ExitResult> =>
  withIssuer(context, { stored: false }, (target) => signInAt(target, context))

async function signInAt(target: LoginTarget, context: CommandContext): Promise<ExitResult> {
  const { issuer } = target
  const clientId = textOption(context, '--client-id') ?? builtInClient
  const usual = hasFlag(context, '--admin') ? `${defaultScope} ${adminScopes.join(' ')}` : defaultScope
  const scope = textOption(context, '--scope') ?? usual
  const resource = textOption(context, '--resource')
  const config = await discoverIssuer(target, clientId)
  if (config.kind === 'error') return config
  if (config.value.serverMetadata().device_authorization_endpoint === undefined)
    return failure('failed', `${issuer} does not offer the device flow`)
  const parameters = { scope, ...(resource === undefined ? {} : { resource }) }
  const begun = await answered(initiateDeviceAuthorization(config.value, parameters))
  if (begun.kind === 'error') return refusalFailure(begun.error, { issuer, clientId })
  const pending = { ...begun.value, expiresAt: Date.now() + begun.value.expires_in * 1000 }
  await showCode(context, pending)
  const decided = await awaitDecision(config.value, pending)
  if (decided.kind === 'ok') return keepTokens(context, decided.value, { clientId, scope, target })
  if (decided.error.error === 'access_denied') return failure('failed', 'it was denied')
  if (decided.error.error === 'expired_token')
    return failure('failed', 'nobody decided in time', { fix: 'run it again' })
  return refusalFailure(decided.error, { issuer, clientId })
}

async function showCode(context: CommandContext, { expiresAt, ...pending }: PendingDevice): Promise<void> {
  const { user_code: code, verification_uri: page, verification_uri_complete: complete = null } = pending
  const { bold, dim } = context.out.style
  const link = complete === null ? '' : `  ${dim(`or open ${printable(complete)} and compare the code`)}\n`
  await context.out.line(
    { user_code: code, verification_uri: page, verification_uri_complete: complete },
    `\n  Open ${bold(printable(page))}\n  and type ${bold(printable(code))}\n${link}\n  ${dim(`Waiting until ${timestamp(expiresAt as Instant)} …`)}`,
  )
}

interface Granted {
  readonly clientId: string
  readonly scope: string
  readonly target: LoginTarget
}

async function keepTokens(
  context: CommandContext,
  tokens: TokenEndpointResponse,
  { clientId, scope: asked, target: { issuer, folder } }: Granted,
): Promise<ExitResult> {
  if (tokens.token_type !== 'bearer') return failure('failed', `${issuer} gave no bearer token`)
  const login = loginFrom(tokens, { issuer, clientId, scope: asked, refreshToken: null })
  // Under the lock, because a process that refreshes the previous login would overwrite this one.
  await withLogin(folder, issuer, () => Promise.resolve(storeLogin(folder, login)))
  const { scope, refreshToken } = login
  const document = { issuer, client_id: clientId, scope, lasting: refreshToken !== null }
  await context.out.line(document, `\nSigned in to ${printable(issuer)}: ${printable(scope)}`)
  return done
}

function refusalFailure(
  { status, error, description }: IssuerRefusal,
  { issuer, clientId }: { readonly issuer: string; readonly clientId: string },
): Err<CommandFailure> {
  const where = description === null ? [] : [description]
  if (error === 'invalid_client' || error === 'unauthorized_client') {
    return failure('failed', `${issuer} does not let ${clientId} sign people in by device`, {
      where,
      fix: `its operator: grantor client create ${clientId} --token-endpoint-auth-method none --grant-type urn:ietf:params:oauth:grant-type:device_code --grant-type refresh_token --scope "${defaultScope}"; or name another with --client-id`,
    })
  }
  return failure(exitAt(status), `${issuer} answered ${status} ${error ?? ''}`.trim(), { where })
}
