/** Runs the client credentials grant of RFC 6749 §4.4. */
import { clientCredentialsGrant } from 'openid-client'
import { answered } from '../login/issuer-client.ts'
import { type Obtain, proofOf, refused } from './flow.ts'

export const obtainByClientCredentials: Obtain = async (flow) => {
  const tokens = await answered(clientCredentialsGrant(flow.config, flow.parameters, proofOf(flow)))
  return tokens.kind === 'ok' ? tokens : refused(tokens.error)
}
