/** `grantor login` */
import type { Err } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import { done, type ExitResult, failure, type CommandFailure } from '../../program/exit.ts'
import { type Answer, textIn } from '../../login/ask.ts'
import { awaitDecision, type Waiting, waitingFrom } from '../../login/device.ts'
import { storeLogin } from '../../login/stored-login.ts'
import { endpointsOf } from '../../login/metadata.ts'
import { caOption, issuerArgument, type LoginTarget, loginTarget, orUnreachable } from '../../login/target.ts'
import { loginFrom } from '../../login/tokens.ts'
import { printable } from '../../output/printable.ts'
import { timestamp } from '../../output/time.ts'
import { type CommandContext, textOption, type Command } from '../../program/command.ts'

/** Every deployment has this client (server/built-in-client.ts). */
const ownClient = 'grantor-cli'
const ownScope = 'openid profile email offline_access'

export const login: Command = {
  name: 'login',
  description: 'sign in at an authorization server by its device page, and keep the tokens on this machine',
  args: [issuerArgument],
  options: [
    {
      flag: '--client-id',
      description: `the public client to sign in as (${ownClient})`,
      takes: 'text',
      placeholder: 'id',
    },
    { flag: '--scope', description: `what to ask for (${ownScope})`, takes: 'text', placeholder: 'scopes' },
    { flag: '--resource', description: 'the API that the token is for', takes: 'text', placeholder: 'uri' },
    caOption,
  ],
  run: async (context) => {
    const target = loginTarget(context, { stored: false })
    if (target.kind === 'error') return target
    return orUnreachable(target.value.issuer, () => signIn(context, target.value))
  },
}

async function signIn(context: CommandContext, target: LoginTarget): Promise<ExitResult> {
  const endpoints = await endpointsOf(target.issuer, target.ask)
  if (typeof endpoints === 'string') return failure('failed', `${target.issuer} cannot be used: ${endpoints}`)
  if (endpoints.deviceAuthorization === null)
    return failure('failed', `${target.issuer} does not offer the device flow`)
  const clientId = textOption(context, '--client-id') ?? ownClient
  const scope = textOption(context, '--scope') ?? ownScope
  const resource = textOption(context, '--resource')
  const form = { client_id: clientId, scope, ...(resource === undefined ? {} : { resource }) }
  const answer = await target.ask(endpoints.deviceAuthorization, { form })
  const waiting = waitingFrom(answer, Date.now())
  if (waiting === null) return refusalFailure(answer, { clientId, target })
  await show(context, waiting)
  const decided = await awaitDecision(waiting, { token: endpoints.token, clientId }, target)
  switch (decided.did) {
    case 'denied':
      return failure('failed', 'it was denied')
    case 'expired':
      return failure('failed', 'nobody decided in time', { fix: 'run it again' })
    case 'refused':
      return refusalFailure(decided.answer, { clientId, target })
    case 'allowed':
      return storeResult(context, decided.answer, { clientId, scope, target })
  }
}

async function show(
  context: CommandContext,
  { userCode, verificationUri, complete, expiresAt }: Waiting,
): Promise<void> {
  const { bold, dim } = context.out.style
  const [code, page] = [printable(userCode), printable(verificationUri)]
  const link = complete === null ? '' : `  ${dim(`or open ${printable(complete)} and compare the code`)}\n`
  await context.out.line(
    { user_code: userCode, verification_uri: verificationUri, verification_uri_complete: complete },
    `\n  Open ${bold(page)}\n  and type ${bold(code)}\n${link}\n  ${dim(`Waiting until ${timestamp(expiresAt as Instant)} …`)}`,
  )
}

interface Granted {
  readonly clientId: string
  readonly scope: string
  readonly target: LoginTarget
}

async function storeResult(
  context: CommandContext,
  answer: Answer,
  { clientId, scope, target }: Granted,
): Promise<ExitResult> {
  const { issuer, folder } = target
  const login = loginFrom(answer, { issuer, clientId, scope, refreshToken: null })
  if (login === null) return failure('failed', `${issuer} gave no bearer token`)
  storeLogin(folder, login)
  const document = { issuer, client_id: clientId, scope: login.scope, lasting: login.refreshToken !== null }
  await context.out.line(document, `\nSigned in to ${printable(issuer)}: ${printable(login.scope)}`)
  return done
}

function refusalFailure(
  { status, body }: Answer,
  { clientId, target }: Pick<Granted, 'clientId' | 'target'>,
): Err<CommandFailure> {
  const [error, description] = [textIn(body, 'error'), textIn(body, 'error_description')]
  const where = description === null ? [] : [description]
  if (error === 'invalid_client' || error === 'unauthorized_client') {
    return failure('failed', `${target.issuer} does not let ${clientId} sign people in by device`, {
      where,
      fix: `its operator: grantor client create ${clientId} --token-endpoint-auth-method none --grant-type urn:ietf:params:oauth:grant-type:device_code --grant-type refresh_token --scope "${ownScope}"; or name another with --client-id`,
    })
  }
  return failure('failed', `${target.issuer} answered ${status} ${error ?? ''}`.trim(), { where })
}
