/** RFC 8628: shows the code, and polls until somebody has decided. */
import { initiateDeviceAuthorization } from 'openid-client'
import { awaitDecision } from '../login/device.ts'
import { answered } from '../login/issuer-client.ts'
import { printable } from '../output/printable.ts'
import { type Obtain, proofOf, refused } from './flow.ts'

export const obtainByDevice: Obtain = async (flow) => {
  const { config, parameters, context } = flow
  const begun = await answered(initiateDeviceAuthorization(config, parameters))
  if (begun.kind === 'error') return refused(begun.error)
  const { user_code: code, verification_uri: page, expires_in: life } = begun.value
  await context.out.line(
    { user_code: code, verification_uri: page },
    `Open ${printable(page)} and type ${printable(code)}`,
  )
  const tokens = await awaitDecision(config, { ...begun.value, expiresAt: Date.now() + life * 1000 }, proofOf(flow))
  return tokens.kind === 'ok' ? tokens : refused(tokens.error)
}
