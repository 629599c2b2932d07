/** RFC 8693: exchanges a token for another token. */
import { tokenExchangeGrant } from '@grantor/protocol/grants'
import { genericGrantRequest } from 'openid-client'
import { answered } from '../login/issuer-client.ts'
import { textOption } from '../program/command.ts'
import { failure } from '../program/exit.ts'
import { namedFile } from './credentials.ts'
import { type Obtain, proofOf, refused } from './flow.ts'

const tokenType = (name: string): string =>
  name.includes(':') ? name : `urn:ietf:params:oauth:token-type:${name.replaceAll('-', '_')}`

export const obtainByExchange: Obtain = async (flow) => {
  const { config, context, parameters } = flow
  const subject = await namedFile(context, '--subject-token-file')
  if (subject.kind === 'error') return subject
  if (subject.value === undefined) return failure('invalid', '--subject-token-file is missing')
  const actor = await namedFile(context, '--actor-token-file')
  if (actor.kind === 'error') return actor
  const audience = textOption(context, '--audience')
  const requested = textOption(context, '--requested-token-type')
  const asked = {
    ...parameters,
    subject_token: subject.value.trim(),
    subject_token_type: tokenType(textOption(context, '--subject-token-type') ?? 'access-token'),
    ...(actor.value === undefined
      ? {}
      : { actor_token: actor.value.trim(), actor_token_type: tokenType('access-token') }),
    ...(audience === undefined ? {} : { audience }),
    ...(requested === undefined ? {} : { requested_token_type: tokenType(requested) }),
  }
  const tokens = await answered(genericGrantRequest(config, tokenExchangeGrant, asked, proofOf(flow)))
  return tokens.kind === 'ok' ? tokens : refused(tokens.error)
}
