/** What all flows share: requests to an issuer as a client, every step printed, and the tokens shown at the end. */
import { ok } from '@grantor/protocol/result'
import {
  type Configuration,
  customFetch,
  discovery,
  type DPoPHandle,
  fetchProtectedResource,
  getDPoPHandle,
  randomDPoPKeyPair,
  type TokenEndpointResponse,
} from 'openid-client'
import { answered, type IssuerRefusal, withIssuer } from '../login/issuer-client.ts'
import { issuerFetch, withoutChallenges } from '../login/fetch.ts'
import type { LoginTarget } from '../login/target.ts'
import { jsonText, printable } from '../output/printable.ts'
import { type CommandContext, hasFlag, textOption } from '../program/command.ts'
import { type CommandResult, done, type ExitResult, failure } from '../program/exit.ts'
import { readCredentials } from './credentials.ts'
import { telling } from './steps.ts'

export interface Flow {
  readonly config: Configuration
  /** Parameters of the token request besides its grant: `scope` and `resource`, if they were given. */
  readonly parameters: Record<string, string>
  /** The key that tokens are bound to; null without `--dpop`. */
  readonly dpop: DPoPHandle | null
  readonly context: CommandContext
}

export type Obtain = (flow: Flow) => Promise<CommandResult<TokenEndpointResponse>>

export const perform = (context: CommandContext, obtain: Obtain): Promise<ExitResult> =>
  withIssuer(context, { stored: false }, async (target) => {
    const flow = await openFlow(target, context)
    if (flow.kind === 'error') return flow
    const tokens = await obtain(flow.value)
    if (tokens.kind === 'error') return tokens
    const { claims: _claims, expiresIn: _expiresIn, ...shown } = tokens.value
    await context.out.document(shown, `${jsonText(shown, 2)}\n`)
    return callWith(tokens.value.access_token, flow.value)
  })

async function openFlow(target: LoginTarget, context: CommandContext): Promise<CommandResult<Flow>> {
  const clientId = textOption(context, '--client-id')
  if (clientId === undefined) return failure('invalid', '--client-id is missing')
  const credentials = await readCredentials(context)
  if (credentials.kind === 'error') return credentials
  const { authentication, certificate } = credentials.value
  const fetch = withoutChallenges(telling(context.out, issuerFetch({ ...target.trust, certificate })))
  const metadata = { use_mtls_endpoint_aliases: certificate !== null }
  const url = new URL(target.issuer)
  const discover = (algorithm: 'oidc' | 'oauth2') =>
    answered(discovery(url, clientId, metadata, authentication, { algorithm, [customFetch]: fetch }))
  const first = await discover('oidc')
  // If the issuer has no OpenID Connect metadata, its RFC 8414 metadata is used.
  const found = first.kind === 'error' && first.error.status !== 200 ? await discover('oauth2') : first
  if (found.kind === 'error') return refused(found.error)
  const config = found.value
  config[customFetch] = fetch
  const dpop = hasFlag(context, '--dpop') ? getDPoPHandle(config, await randomDPoPKeyPair('ES256')) : null
  const [scope, resource] = [textOption(context, '--scope'), textOption(context, '--resource')]
  const parameters = { ...(scope === undefined ? {} : { scope }), ...(resource === undefined ? {} : { resource }) }
  return ok({ config, parameters, dpop, context })
}

export const proofOf = ({ dpop }: Flow): { readonly DPoP?: DPoPHandle } => (dpop === null ? {} : { DPoP: dpop })

/** Turns an error answer of the issuer into a failure. */
export const refused = ({ status, error, description }: IssuerRefusal, who = 'the issuer') => {
  const answer = status === 200 && error !== null ? error : `${status} ${error ?? ''}`.trim()
  return failure('failed', `${who} answered ${answer}`, { where: description === null ? [] : [description] })
}

/** With `--call`: calls the API with the token to see whether it accepts it. */
async function callWith(token: string, flow: Flow): Promise<ExitResult> {
  const { config, context } = flow
  const address = textOption(context, '--call')
  if (address === undefined) return done
  const url = URL.parse(address)
  if (url?.protocol !== 'https:') return failure('invalid', `${address} is not an https address`)
  const call = fetchProtectedResource(config, token, url, 'GET', undefined, undefined, proofOf(flow))
  const answer = await answered(call)
  if (answer.kind === 'error') return refused(answer.error, address)
  const body = await answer.value.text()
  await context.out.line({ status: answer.value.status, body }, printable(body))
  return answer.value.ok ? done : failure('failed', `${address} answered ${answer.value.status}`)
}
