/** CIBA: names a person, and polls until the person has answered on another device. */
import { initiateBackchannelAuthentication, pollBackchannelAuthenticationGrant } from 'openid-client'
import { answered } from '../login/issuer-client.ts'
import { textOption } from '../program/command.ts'
import { failure } from '../program/exit.ts'
import { type Obtain, proofOf, refused } from './flow.ts'

export const obtainByBackchannel: Obtain = async (flow) => {
  const { config, parameters, context } = flow
  const [hint, message] = [textOption(context, '--login-hint'), textOption(context, '--binding-message')]
  if (hint === undefined) return failure('invalid', '--login-hint is missing')
  const asked = {
    scope: 'openid',
    ...parameters,
    login_hint: hint,
    ...(message === undefined ? {} : { binding_message: message }),
  }
  const begun = await answered(initiateBackchannelAuthentication(config, asked))
  if (begun.kind === 'error') return refused(begun.error)
  await context.out.line({ waiting: true, expires_in: begun.value.expires_in }, 'Waiting for the answer of the person')
  const tokens = await answered(pollBackchannelAuthenticationGrant(config, begun.value, undefined, proofOf(flow)))
  return tokens.kind === 'ok' ? tokens : refused(tokens.error)
}
