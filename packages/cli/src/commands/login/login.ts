/** `grantor login` */
import type { Instant } from '@grantor/protocol/types'
import { done, type Ending, failure, type Failure } from '../../program/exit.ts'
import { type Answer, textIn } from '../../login/ask.ts'
import { awaitDecision, type Waiting, waitingFrom } from '../../login/device.ts'
import { keepLogin } from '../../login/stored-login.ts'
import { endpointsOf } from '../../login/metadata.ts'
import { caOption, issuerArg, type LoginPlace, placeOfLogin, reaching } from '../../login/target.ts'
import { loginFrom } from '../../login/tokens.ts'
import { printable } from '../../output/printable.ts'
import { timestamp } from '../../output/time.ts'
import { type Call, textOf, type Verb } from '../../program/command.ts'

/** Every deployment has this client (server/built-in-client.ts). */
const ownClient = 'grantor-cli'
const ownScope = 'openid profile email offline_access'

export const login: Verb = {
  name: 'login',
  says: 'sign in at an authorization server by its device page, and keep the tokens on this machine',
  args: [issuerArg],
  options: [
    { flag: '--client-id', says: `the public client to sign in as (${ownClient})`, takes: 'text', placeholder: 'id' },
    { flag: '--scope', says: `what to ask for (${ownScope})`, takes: 'text', placeholder: 'scopes' },
    { flag: '--resource', says: 'the API that the token is for', takes: 'text', placeholder: 'uri' },
    caOption,
  ],
  run: async (call) => {
    const place = placeOfLogin(call, { kept: false })
    return 'kind' in place ? place : reaching(place.issuer, () => signIn(call, place))
  },
}

async function signIn(call: Call, place: LoginPlace): Promise<Ending> {
  const endpoints = await endpointsOf(place.issuer, place.ask)
  if (typeof endpoints === 'string') return failure('failed', `${place.issuer} cannot be used: ${endpoints}`)
  if (endpoints.deviceAuthorization === null) return failure('failed', `${place.issuer} does not offer the device flow`)
  const clientId = textOf(call, '--client-id') ?? ownClient
  const scope = textOf(call, '--scope') ?? ownScope
  const resource = textOf(call, '--resource')
  const form = { client_id: clientId, scope, ...(resource === undefined ? {} : { resource }) }
  const answer = await place.ask(endpoints.deviceAuthorization, { form })
  const waiting = waitingFrom(answer, Date.now())
  if (waiting === null) return refusal(answer, { clientId, place })
  await show(call, waiting)
  const decided = await awaitDecision(waiting, { token: endpoints.token, clientId }, place)
  switch (decided.did) {
    case 'denied':
      return failure('failed', 'it was denied')
    case 'expired':
      return failure('failed', 'nobody decided in time', { fix: 'run it again' })
    case 'refused':
      return refusal(decided.answer, { clientId, place })
    case 'allowed':
      return keep(call, decided.answer, { clientId, scope, place })
  }
}

async function show(call: Call, { userCode, verificationUri, complete, expiresAt }: Waiting): Promise<void> {
  const { bold, dim } = call.out.style
  const [code, page] = [printable(userCode), printable(verificationUri)]
  const link = complete === null ? '' : `  ${dim(`or open ${printable(complete)} and compare the code`)}\n`
  await call.out.line(
    { user_code: userCode, verification_uri: verificationUri, verification_uri_complete: complete },
    `\n  Open ${bold(page)}\n  and type ${bold(code)}\n${link}\n  ${dim(`Waiting until ${timestamp(expiresAt as Instant)} …`)}`,
  )
}

interface Granted {
  readonly clientId: string
  readonly scope: string
  readonly place: LoginPlace
}

async function keep(call: Call, answer: Answer, { clientId, scope, place }: Granted): Promise<Ending> {
  const { issuer, folder } = place
  const kept = loginFrom(answer, { issuer, clientId, scope, refreshToken: null })
  if (kept === null) return failure('failed', `${issuer} gave no bearer token`)
  keepLogin(folder, kept)
  const document = { issuer, client_id: clientId, scope: kept.scope, lasting: kept.refreshToken !== null }
  await call.out.line(document, `\nSigned in to ${printable(issuer)}: ${printable(kept.scope)}`)
  return done
}

function refusal({ status, body }: Answer, { clientId, place }: Pick<Granted, 'clientId' | 'place'>): Failure {
  const [error, description] = [textIn(body, 'error'), textIn(body, 'error_description')]
  const where = description === null ? [] : [description]
  if (error === 'invalid_client' || error === 'unauthorized_client') {
    return failure('failed', `${place.issuer} does not let ${clientId} sign people in by device`, {
      where,
      fix: `its operator: grantor client create ${clientId} --token-endpoint-auth-method none --grant-type urn:ietf:params:oauth:grant-type:device_code --grant-type refresh_token --scope "${ownScope}"; or name another with --client-id`,
    })
  }
  return failure('failed', `${place.issuer} answered ${status} ${error ?? ''}`.trim(), { where })
}
