/** RFC 6749 §4.1 with PKCE, for a native application: the browser returns to a port of this machine (RFC 8252 §7.3). */
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildAuthorizationUrlWithPAR,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { answered } from '../login/issuer-client.ts'
import { printable } from '../output/printable.ts'
import { countOption, hasFlag } from '../program/command.ts'
import { failure } from '../program/exit.ts'
import { openCallback } from './callback.ts'
import { type Obtain, proofOf, refused } from './flow.ts'

export const obtainByCode: Obtain = async (flow) => {
  const { config, parameters, context, dpop } = flow
  const opened = await openCallback(countOption(context, '--callback-port') ?? 0)
  if (opened.kind === 'error') return opened
  await using callback = opened.value
  const [state, verifier] = [randomState(), randomPKCECodeVerifier()]
  const nonce = (parameters['scope'] ?? '').split(' ').includes('openid') ? randomNonce() : undefined
  const asked = {
    ...parameters,
    redirect_uri: callback.redirectUri,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(nonce === undefined ? {} : { nonce }),
    ...(dpop === null ? {} : { dpop_jkt: await dpop.calculateThumbprint() }),
  }
  const address = await answered(
    hasFlag(context, '--par')
      ? buildAuthorizationUrlWithPAR(config, asked, proofOf(flow))
      : (async () => buildAuthorizationUrl(config, asked))(),
  )
  if (address.kind === 'error') return refused(address.error)
  const { href } = address.value
  await context.out.line({ open: href, redirect_uri: callback.redirectUri }, `Open ${printable(href)}`)
  const returned = await Promise.race([callback.returned, context.environment.stopped().then(() => null)])
  if (returned === null) return failure('failed', 'nobody came back')
  const checks = {
    expectedState: state,
    pkceCodeVerifier: verifier,
    ...(nonce === undefined ? {} : { expectedNonce: nonce }),
  }
  const tokens = await answered(authorizationCodeGrant(config, returned, checks, undefined, proofOf(flow)))
  return tokens.kind === 'ok' ? tokens : refused(tokens.error)
}
